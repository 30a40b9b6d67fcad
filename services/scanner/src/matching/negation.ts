const REACH = 60
const WORDS_BETWEEN_MAX = 4

/** A negation and the few words after it; a comma only before words that strengthen it. */
const NEGATION = new RegExp(
  String.raw`^(?<before>.*)\b(?:never|not|don't|doesn't|cannot|can't|won't|nobody|refus(?:e|es|ed) to|without|instead of|avoid)` +
    String.raw`(?<between>(?:,(?= (?:ever|under|in|at|for)\b))?[\s"'\`]+(?:[\w',-]+\s+){0,${WORDS_BETWEEN_MAX}})$`,
  'is',
)

/** "I asked the agent to …" reports an attempt and orders nothing of the reader. */
const REPORTED =
  /\b(?:i|we) (?:asked|told|prompted) (?:the|an?|our|my|each|both|two|three|four|five) (?:models?|agents?|assistants?|bots?|llms?) to $/i

const AGENT = String.raw`(?:the|an?|our|my|this|that|some|most|all) (?:[\w'-]+ ){0,2}(?:agents?|bots?|chatbots?|models?|assistants?|llms?)`
/** "The bot was tricked to …", "the exploit makes the agent …": what others did, and no order. */
const OF_OTHERS = new RegExp(
  String.raw`\b(?:${[
    '(?:was|were|been|being|got|can be|could be) (?:easily )?(?:tricked|fooled|talked|coaxed|persuaded|convinced|manipulated|lured|led|made|pressured) (?:in)?to',
    `(?:makes|made|making) ${AGENT}`,
    `(?:can|could|trying to|tried to|attempts? to) make (?:it|them|${AGENT})`,
    `(?:gets|got|getting|tricks|tricked|forces|forced|causes|caused|causing|tricking|forcing|(?:can|could|trying to|tried to|attempts? to) (?:get|trick|force|cause)) (?:it|them|${AGENT}) (?:in)?to`,
    `(?:does|did) (?:your [\\w-]{1,20}|${AGENT})`,
  ].join('|')}) $`,
  'i',
)
const YOU = /\byou\b/i

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
  if (REPORTED.test(lead) || (OF_OTHERS.test(lead) && !YOU.test(lead))) return true
  const { before = '', between = '' } = NEGATION.exec(lead)?.groups ?? {}
  if (between === '' || OTHER_VERB.test(between) || IDLE.test(before)) return false
  const clause = before.split(CLAUSE_END).at(-1) ?? ''
  return !(CONDITION.test(clause) && /\w/.test(between))
}
