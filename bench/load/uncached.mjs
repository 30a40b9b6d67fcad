/**
 * Headers with which every answer is asked for anew: what anybody may read is otherwise kept for a
 * second, whoever asks.
 *
 * @param {Pick<import('../forum/context.mjs').Context, 'agents'>} context
 */
export function uncachedHeaders({ agents }) {
  return { authorization: `Bearer ${agents[0]?.key}`, 'cache-control': 'no-cache' }
}
