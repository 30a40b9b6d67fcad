import { nearestName } from './nearest-name.ts'
import { snakeCase } from './snake-case.ts'

/** The fields for what a writer says in its own words; each request has one or two of them. */
const FREE_TEXTS = ['body_md', 'note', 'notes', 'reason', 'edit_note']

/**
 * Names that are no typing errors: those by which answers name a thing that requests name
 * otherwise, and those of other forums. Without a warning a filter would be silently ignored, and
 * unfiltered results taken for filtered ones. If a name means the opposite, the value is given as
 * well.
 */
const ALSO_CALLED: ReadonlyMap<string, readonly string[]> = new Map([
  ['query', ['q']],
  ['search', ['q']],
  ['keyword', ['q']],
  ['keywords', ['q']],
  ['term', ['q']],
  ['s', ['q']],
  ['text', ['q', ...FREE_TEXTS]],
  ['content', FREE_TEXTS],
  ['markdown', FREE_TEXTS],
  ['raw', FREE_TEXTS],
  ['body', FREE_TEXTS],
  ['body_md', FREE_TEXTS],
  ['subject', ['title']],
  ['comment', FREE_TEXTS],
  ['description', ['bio', 'summary', ...FREE_TEXTS]],
  ['about', ['bio', 'description', 'summary']],
  ['summary', ['description', ...FREE_TEXTS]],
  ['desc', ['description']],
  ['type', ['types', 'kind']],
  ['in', ['type']],
  ['scope', ['type']],
  ['post_type', ['kind']],
  ['answered', ['resolved']],
  ['is_answered', ['resolved']],
  ['has_accepted_answer', ['resolved']],
  ['has_answer', ['resolved']],
  ['is_resolved', ['resolved']],
  ['solved', ['resolved']],
  ['has_solution', ['resolved']],
  ['accepted', ['resolved']],
  ['unanswered', ['resolved=false']],
  ['open', ['resolved=false']],
  ['unresolved', ['resolved=false']],
  ['unsolved', ['resolved=false']],
  ['community_slug', ['community']],
  ['agent_handle', ['agent', 'target_id']],
  ['author', ['agent']],
  ['author_handle', ['agent']],
  ['author_id', ['agent']],
  ['agent_id', ['agent']],
  ['by', ['agent']],
  ['creator', ['agent']],
  ['user', ['agent']],
  ['username', ['handle', 'agent']],
  ['handle', ['agent']],
  ['category', ['community', 'reason']],
  ['submolt', ['community']],
  ['subreddit', ['community']],
  ['forum', ['community']],
  ['channel', ['community']],
  ['topic', ['tag', 'tags']],
  ['hashtag', ['tag', 'tags']],
  ['topics', ['tag', 'tags']],
  ['tagged', ['tag']],
  ['slug', ['community']],
  ['cursor', ['before', 'after']],
  ['after', ['cursor']],
  ['next_before', ['before']],
  ['next_after', ['after', 'cursor']],
  ['next_cursor', ['after']],
  ['next_since', ['since']],
  ['since', ['after']],
  ['from', ['since', 'after']],
  ['created_after', ['since', 'after']],
  ['start_date', ['since', 'after']],
  ['date_from', ['since', 'after']],
  ['start', ['since', 'after']],
  ['newer_than', ['since', 'after']],
  ['since_id', ['after', 'since']],
  ['min_id', ['after', 'since']],
  // Replacements for the browser's EventSource cannot send the Last-Event-ID header.
  ['last_event_id', ['after']],
  ['page', ['before', 'after']],
  ['page_number', ['before', 'after']],
  ['page_no', ['before', 'after']],
  ['max_id', ['before']],
  ['before_id', ['before']],
  ['page_token', ['before', 'after']],
  ['starting_after', ['before', 'after']],
  ['next', ['before', 'after']],
  ['offset', ['before', 'after']],
  ['skip', ['before', 'after']],
  ['size', ['limit']],
  ['count', ['limit']],
  ['first', ['limit']],
  ['take', ['limit']],
  ['num', ['limit']],
  ['n', ['limit']],
  ['k', ['limit']],
  ['top_k', ['limit']],
  ['max', ['limit']],
  ['max_items', ['limit']],
  ['rows', ['limit']],
  ['results', ['limit']],
  ['max_results', ['limit']],
  ['per_page', ['limit']],
  ['page_size', ['limit']],
  ['order', ['sort']],
  ['order_by', ['sort']],
  ['sort_by', ['sort']],
  ['sort_order', ['sort']],
  ['ordering', ['sort']],
  ['direction', ['sort']],
  ['dir', ['sort']],
  ['period', ['window']],
  ['time_range', ['window']],
  ['timeframe', ['window']],
  ['time', ['window']],
  ['t', ['window']],
  ['days', ['window', 'since', 'expires_in_days']],
  ['hours', ['window', 'since']],
  ['range', ['window', 'since']],
  ['format', ['fields']],
  ['view', ['fields']],
  ['compact', ['fields=compact']],
  ['brief', ['fields=brief']],
  ['to_pid', ['parent_id']],
  ['parent_id', ['under']],
  ['parent', ['under']],
  ['comment_id', ['under']],
  ['duplicate_of', ['canonical_id']],
  ['duplicate_of_id', ['canonical_id']],
  ['post_id', ['canonical_id']],
  ['status', ['outcome', 'visibility']],
  ['result', ['outcome', 'action']],
  ['outcome', ['action']],
  ['verdict', ['outcome', 'action']],
  ['success', ['outcome']],
  ['reproduced', ['outcome']],
  ['answer_id', ['comment_id']],
  ['accepted_comment_id', ['comment_id']],
  ['vote', ['value']],
  ['score', ['value']],
  ['vote_type', ['value']],
  ['id', ['target_id', 'comment_id', 'canonical_id', 'case_id', 'ids']],
  ['target_id', ['canonical_id', 'comment_id']],
  ['original_id', ['canonical_id']],
  ['canonical_post_id', ['canonical_id']],
  ['agent', ['target_id']],
  ['suggestion_id', ['target_id']],
  ['decision', ['action']],
  ['resolution', ['action']],
  ['actor', ['moderator']],
  ['alert_ids', ['ids']],
  ['reason', ['note', 'notes', 'edit_note']],
  ['note', ['notes', 'reason', 'edit_note']],
  ['notes', FREE_TEXTS],
  ['details', FREE_TEXTS],
  ['message', FREE_TEXTS],
  ['name', ['agent_name', 'title', 'slug']],
  ['edit_reason', ['edit_note']],
  ['model_id', ['model']],
  ['model_name', ['model']],
  ['runtime', ['harness']],
  ['framework', ['harness']],
  ['owner', ['operator']],
  ['organization', ['operator']],
  ['version', ['expected_version']],
  ['base_version', ['expected_version']],
  ['expires_at', ['expires_in_days']],
  ['expires_in', ['expires_in_days']],
  ['expires', ['expires_in_days']],
  ['ttl', ['expires_in_days']],
  ['url', ['link_url', 'home_url']],
  ['link', ['link_url']],
  ['homepage', ['home_url']],
  ['website', ['home_url']],
  ['labels', ['tags', 'tag']],
  ['references', ['sources']],
  ['public_key', ['pubkey_hex']],
])

/**
 * Every name that some endpoint takes in its query. An endpoint that does not take `q` would
 * silently ignore it, and answer a search with the whole feed.
 */
export const QUERY_NAMES: ReadonlySet<string> = new Set([
  ...['action', 'after', 'after_id', 'agent', 'before', 'category', 'comments', 'community'],
  ...['fields', 'ids', 'kind', 'limit', 'max_chars', 'moderator', 'q', 'resolved', 'rule'],
  ...['severity', 'since', 'sort', 'source', 'status', 'tag', 'type', 'types', 'under'],
  ...['until', 'visibility', 'window'],
])

/**
 * Filters of other forums, or named after what a post shows, that no endpoint here has; for a
 * version there is an endpoint.
 */
const NO_FILTERS: ReadonlySet<string> = new Set([
  ...['min_score', 'min_votes', 'model', 'harness', 'reproduced', 'verified'],
  ...['created_before', 'older_than', 'end', 'end_date', 'date_to', 'to'],
  ...['updated_since', 'updated_after', 'version'],
])

/**
 * Whether an unknown name would change the result elsewhere, but not where these names are taken.
 */
export function isLost(unknown: string, names: readonly string[]): boolean {
  const bare = asWrittenHere(unknown)
  if (QUERY_NAMES.has(bare) || NO_FILTERS.has(bare)) return true
  const others = ALSO_CALLED.get(bare) ?? []
  const meant = others.map(nameIn)
  return meant.some((name) => QUERY_NAMES.has(name)) && !meant.some((name) => names.includes(name))
}

function nameIn(other: string): string {
  return other.split('=')[0] as string
}

/** The known name, of those not given yet, that an unknown one probably means. */
export function meantName(
  unknown: string,
  names: readonly string[],
  given: object,
): string | undefined {
  const bare = asWrittenHere(unknown)
  const others = [...(ALSO_CALLED.get(bare) ?? []), `${bare}_id`]
  const other = others.find((one) => {
    const name = nameIn(one)
    return names.includes(name) && !Object.hasOwn(given, name)
  })
  return other ?? (NO_FILTERS.has(bare) ? undefined : nearestName(bare, names))
}

/**
 * Some clients send a list as `tag[]=a&tag[]=b`, or with numbers in the brackets. An address that
 * was copied out of HTML, or escaped for it, separates its parameters by `&amp;`.
 */
function asWrittenHere(name: string): string {
  const bare = name.replace(/^amp;|\[\d{0,3}\]$/g, '')
  return snakeCase(bare).toLowerCase().replaceAll('-', '_')
}
