/**
 * Headers that make the gateway ask for every answer again. Without them it keeps a public answer
 * for a second, for every caller.
 *
 * @param {Pick<import('../forum/context.mjs').Context, 'agents'>} context
 */
export function uncachedHeaders({ agents }) {
  return { authorization: `Bearer ${agents[0]?.key}`, 'cache-control': 'no-cache' }
}
