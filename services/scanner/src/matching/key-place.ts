const REACH_BEFORE = 40
const REACH_BEHIND = 120

/** Ends of a sentence; the dots of `.env` and `config.json` end none. */
const SENTENCE_END = /[.!?](?=\s|$)|[\n。！？।؟]/

/** A key as the object of a demand; instructions, unlike keys, belong in no particular place. */
const KEY =
  /key|token|password|schlussel|sleutel|cle|jeton|clave|chave|chiave|klucz|credential|пароль|ключ|токен|密钥|令牌|キー|トークン|키|مفتاح|कुंजी|\bapi$/i

/** A place for keys, after a preposition: "paste it into .env"; "paste .env" asks for the file. */
const PLACE =
  /\b(?:in|into|on|at|to|as|via|through|with|by|ins|im|als|uber|mit|met|dans|en|comme|par|avec|como|por|a|mediante|em|no|na|nos|nas|pelo|pela|nel|nella|nell|come|con|tramite|w|do|jako|przez)\b[^.!?,;\n]{0,24}(?:\.env\b|\benv vars?\b|config|settings|log-?in|sign-?in|einstellung|instelling|parametres|ajustes|impostazion|ustawien|keychain|vault|\bheaders?\b|kopfzeile|en-?tete|cabecera|encabezado|cabecalho|intestazione|nag[lł]ow|authorization|\b(?:each|every|all|your) requests?\b|variab|variavel|variavei|umgebung|omgeving|zmienn)/i
const PLACE_ELSEWHERE =
  /(?:^|\s)(?:в|во|через)\s[^.!?,;\n]{0,20}(?:файл|заголов|переменн|настройк|конфиг|\.env)|(?:写入|写到|写进|放在|放入|放到|存入|存到|添加到|粘贴到|填入|填到)[^。！？\n]{0,20}(?:\.env|环境变量|请求头|头部|配置|文件)|(?:\.env|ヘッダー|環境変数|設定|ファイル)[^。！？\n]{0,8}[にへで]|(?:\.env|헤더|환경 ?변수|설정|파일)[^.!?\n]{0,6}에|(?:^|\s)في\s[^.!؟\n]{0,16}(?:ملف|متغير|ترويسة|رأس|إعدادات)|(?:\.env|फ़ाइल|हेडर|वेरिएबल)[^।!?\n]{0,8}में/i
const NOBODY =
  /\b(?:nobody|no one|niemand(?:em)?|personne|nadie|ninguem|nessuno|nikim|nikomu)\b|никому|никем/i

/** A place that the sentence rules out: "in a header, not in the message". */
const RULED_OUT = /\b(?:not|never) (?:in|into|as|on|via)(?: (?:an?|the|your))? [\w-]{1,20}/gi

/** Places where others would see the key; such words turn any advice into a demand. */
const ELSEWHERE =
  /https?:|@|\b(?:here|below|me|us|repl(?:y|ies)|comments?|answers?|threads?|messages?|hier|mir|uns|antwort|kommentar|nachricht|reactie|antwoord|mij|ons|bericht|ici|moi|nous|reponse|commentaire|aqui|respuesta|comentario|mensaje|resposta|mensagem|qui|risposta|commento|messaggio|tutaj|mnie|nam|odpowiedz|komentarz)\b|сюда|здесь|мне|нам|ответ|комментар|这里|給我|给我|我们|回复|评论|ここ|こちら|返信|コメント|여기|나에게|저에게|댓글|답글|هنا|لي|الرد|यहाँ|यहां|मुझे|टिप्पणी/i

/** People and services that would get the key, and exceptions to "nobody". */
const OTHERS =
  /\b(?:our|others|everyone|everybody|support|staff|admins?|moderators?|team|channels?|forum|(?<!requests? to the )servers?|bots?|but|except|besides|unless|ausser|sauf|excepto|salvo|exceto|tranne|oprocz|behalve)\b|кроме|除了/i

/** The name or number of a host; after the dot of a file stands how its kind ends. */
const HOST =
  /[a-z0-9]\.(?!(?:env|environ|json|ya?ml|toml|ini|conf|cfg|config|py|[cm]?[jt]s|sh|rc|txt|md|properties|local|xml)\b)[a-z]{2,12}\b|\d\.\d{1,3}\.\d{1,3}\.\d/i

const HEADER =
  /header|kopfzeile|en-?tete|cabecera|encabezado|cabecalho|intestazione|nag[lł]ow|заголов|请求头|头部|ヘッダ|헤더|ترويسة|رأس|हेडर/i

const LABEL = String.raw`(?:[\w-]{1,40}\.)`
/** Endings of names that mostly cost something; lures stand at cheaper ones. */
const ENDING = '(?:com|org|net|io|dev|ai|app|cloud|[a-z]{2})'
const PATH = String.raw`(?:[:/][^\s@]*)?`

/**
 * Where programs send keys in headers: hosts and paths called `api`, and hosts kept for examples.
 * An address with an `@` is none of these, because another host may follow.
 */
const API = new RegExp(
  String.raw`(?:https?://)?(?<![\w.@-])(?:${[
    String.raw`${LABEL}{0,2}api[\w-]{0,20}\.${LABEL}{0,3}${ENDING}${PATH}`,
    String.raw`${LABEL}{1,4}${ENDING}(?::\d{1,5})?/api(?:/[^\s@]*)?`,
    String.raw`${LABEL}{0,3}example\.(?:com|org|net)${PATH}`,
    `localhost${PATH}`,
  ].join('|')})(?![\w@-]|\.\w)`,
  'gi',
)

/** Words in the addresses of those who collect keys, which no API needs in its own. */
const LURES =
  /verif|validat|audit|check(?!out)|collect|claim|recover|restor|harvest|reward|unlock|rotat|renew|leak|drop|steal|evil|attack|key|cred/i

function withoutApis(sentence: string): string {
  return sentence.replace(API, (address) => (LURES.test(address) ? address : ''))
}

/** Whether the sentence of a demand puts a key where it belongs, or says nobody may have it. */
export function isKept(text: string, start: number, end: number): boolean {
  if (!KEY.test(text.slice(start, end))) return false
  const before = text.slice(Math.max(0, start - REACH_BEFORE), start)
  const behind = text.slice(end, end + REACH_BEHIND)
  const lead = before.split(SENTENCE_END).at(-1) ?? ''
  const rest = behind.split(SENTENCE_END)[0] ?? ''
  const demand = text.slice(start, end) + rest
  const whole = (lead + demand).replace(RULED_OUT, '')
  const sentence = HEADER.test(whole) ? withoutApis(whole) : whole
  if ([ELSEWHERE, OTHERS, HOST].some((pattern) => pattern.test(sentence))) return false
  // Before the demand, "nobody" says who shall hear of it.
  return NOBODY.test(demand) || PLACE.test(sentence) || PLACE_ELSEWHERE.test(sentence)
}
