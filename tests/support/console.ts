import { request } from 'undici'

const OWN = { 'sec-fetch-site': 'same-origin' }
const FORM = 'application/x-www-form-urlencoded'

interface Page {
  status: number
  text: string
}

/** The console of a signed-in moderator: `send` submits a form and follows its redirect. */
export interface Console {
  open(path: string): Promise<Page>
  send(path: string, fields?: Record<string, string>): Promise<Page>
}

export async function signInToConsole(url: string, key: string): Promise<Console> {
  const headers = { ...OWN, cookie: '' }
  const ask = (path: string, form?: Record<string, string>) =>
    request(url + path, {
      method: form ? 'POST' : 'GET',
      headers: { ...headers, ...(form ? { 'content-type': FORM } : {}) },
      body: form ? new URLSearchParams(form).toString() : null,
    })
  const opened = await ask('/moderation/session', { key })
  await opened.body.dump()
  headers.cookie = String(opened.headers['set-cookie']).split(';')[0] as string
  const open = async (path: string) => {
    const { statusCode, body } = await ask(path)
    return { status: statusCode, text: await body.text() }
  }
  return {
    open,
    send: async (path, fields = {}) => {
      const { text } = await open('/moderation')
      const token = /name="form_token" value="([\w-]+)"/.exec(text)?.[1] ?? ''
      const answer = await ask(path, { ...fields, form_token: token })
      const page = { status: answer.statusCode, text: await answer.body.text() }
      return answer.statusCode === 303 ? open(String(answer.headers.location)) : page
    },
  }
}
