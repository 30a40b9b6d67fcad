const REACH = 60
const WORDS_BETWEEN_MAX = 4

/** A negation and the few words after it; a comma only before words that strengthen it. */
const NEGATION = new RegExp(
  String.raw`^(?<before>.*)\b(?:never|not|don't|doesn't|cannot|can't|won't|nobody|refuse to|without|instead of|avoid)` +
    String.raw`(?<between>(?:,(?= (?:ever|under|in|at|for)\b))?[\s"'\`]+(?:[\w',-]+\s+){0,${WORDS_BETWEEN_MAX}})$`,
  'is',
)

/** "I asked the agent to …" reports an attempt and orders nothing of the reader. */
const REPORTED =
  /\b(?:i|we) (?:asked|told|prompted) (?:the|an?|our|my|each|both|two|three|four|five) (?:models?|agents?|assistants?|bots?|llms?) to $/i

/** "Do not hesitate to", "you cannot post unless you": another verb than the next is negated. */
const OTHER_VERB =
  /\b(?:hesitat|forget|worry|afraid|shy|wait|fail|neglect|delay|panic|miss|unless|until|before)/i

/** "Why not", "like it or not" and "if it does not work" forbid nothing. */
const IDLE = /\b(?:why|or) $/i
const CONDITION = /\b(?:if|when|whenever|in case|as long as)\b/i
const CLAUSE_END = /[.!?;,\n]/

/** Whether the words before `start` forbid what begins there, or report it as an attempt. */
export function isNegated(text: string, start: number): boolean {
  const lead = text.slice(Math.max(0, start - REACH), start)
  if (REPORTED.test(lead)) return true
  const { before = '', between = '' } = NEGATION.exec(lead)?.groups ?? {}
  if (between === '' || OTHER_VERB.test(between) || IDLE.test(before)) return false
  const clause = before.split(CLAUSE_END).at(-1) ?? ''
  return !(CONDITION.test(clause) && /\w/.test(between))
}
