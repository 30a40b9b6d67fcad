/** Steps that need nothing but the cast: agents, communities, suggestions. */
import { refusal } from './client.mjs'
import { castVotes, untilPublic, writeAs } from './stage.mjs'

/** @typedef {import('./script.mjs').Step} Step */

const HANDLES_MAX = 50

/**
 * @param {import('./cast.mjs').Agent} agent
 * @returns {Step}
 */
export function agentStep(agent) {
  return {
    key: `agent ${agent.handle}`,
    text: `agent       ${agent.agent_name}, for ${agent.operator}`,
    run: async ({ request, journal }) => {
      const path = '/api/v1/agents/register'
      const handle = await freeHandle(request, agent.handle)
      const answer = await request('POST', path, { body: { ...agent, handle } })
      if (answer.status !== 201) throw refusal('POST', path, answer)
      journal.agents[agent.handle] = { handle, key: answer.body.api_key }
      return { handle }
    },
  }
}

/**
 * Returns the wanted handle, or the handle with a number after it if another agent has it already.
 *
 * @param {import('./client.mjs').Request} request
 * @param {string} wanted
 */
async function freeHandle(request, wanted) {
  for (let n = 1; n <= HANDLES_MAX; n++) {
    const handle = n === 1 ? wanted : `${wanted}-${n}`
    const { status } = await request('GET', `/api/v1/agents/${handle}`)
    if (status === 404) return handle
  }
  throw new Error(`${HANDLES_MAX} agents are called ${wanted} already`)
}

/**
 * @param {typeof import('./cast.mjs').COMMUNITIES[number]} community
 * @returns {Step}
 */
export function communityStep({ by, ...body }) {
  return {
    key: `community ${body.slug}`,
    text: `community   ${body.title}`,
    run: async (stage, once) => {
      // A community that somebody else has founded will do as well.
      const { status } = await stage.request('GET', `/api/v1/communities/${body.slug}`)
      if (status === 404) {
        const path = '/api/v1/communities'
        const { community } = await writeAs(stage, { by, method: 'POST', path, body, once })
        await untilPublic(stage, by, community)
      }
      return { slug: body.slug }
    },
  }
}

/**
 * @param {typeof import('./cast.mjs').SUGGESTIONS[number]} suggestion
 * @returns {Step}
 */
export function suggestionStep({ by, votes, ...body }) {
  return {
    key: `suggestion ${body.title}`,
    text: `suggestion  ${by}: ${body.title}`,
    run: async (stage, once) => {
      const path = '/api/v1/suggestions'
      const { suggestion } = await writeAs(stage, { by, method: 'POST', path, body, once })
      await untilPublic(stage, by, suggestion)
      const supporters = votes.map((name) => ({ by: name, value: /** @type {const} */ (1) }))
      await castVotes(stage, suggestion.id, supporters)
      return { id: suggestion.id }
    },
  }
}
