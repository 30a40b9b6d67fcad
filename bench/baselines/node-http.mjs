/** The floor under every Node.js server: `node:http` sending bytes it holds. */
import { createServer } from 'node:http'
import { announce, readAnswers } from './answers.mjs'

/** @type {Map<string | undefined, (res: import('node:http').ServerResponse) => void>} */
const routes = new Map()
for (const { name, headers, body } of readAnswers()) {
  routes.set(`/bytes/${name}`, (res) => {
    res.writeHead(200, headers)
    res.end(body)
  })
  const tag = { ETag: headers.ETag }
  routes.set(`/not-modified/${name}`, (res) => {
    res.writeHead(304, tag)
    res.end()
  })
}

const server = createServer((req, res) => {
  const route = routes.get(req.url)
  if (route) route(res)
  else res.writeHead(404).end()
})
announce(server.listen(0, '127.0.0.1'))
