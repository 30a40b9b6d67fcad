import { SENTINEL } from './keys.ts'
import { script } from './lua.ts'

/**
 * Functions: whether Redis dropped a key of the generation at `root`, or one of its sorted sets.
 */
const VANISHED = `
local function isGone(root)
  return redis.call('SISMEMBER', root .. 'sets', '${SENTINEL}') == 0
    or redis.call('HEXISTS', root .. 'floors', '${SENTINEL}') == 0
    or redis.call('HEXISTS', root .. 'revisions', '${SENTINEL}') == 0
end
local function isSetGone(root, set)
  return redis.call('SISMEMBER', root .. 'sets', set) == 1
    and redis.call('EXISTS', root .. 'hot' .. set) == 0
end
local function isAnyGone(root)
  if isGone(root) then return true end
  for _, set in ipairs(redis.call('SMEMBERS', root .. 'sets')) do
    if set ~= '${SENTINEL}' and isSetGone(root, set) then return true end
  end
  return false
end
`

/**
 * Applies posts to one generation. Answers `ok` and the communities in which a post came or went;
 * `lost` when another worker holds the lease; `superseded` when the generation is no longer the one
 * served or being built, or is not where its writer left it, as Redis may have come back in its
 * state of a second before; `vanished` when a key of it has been dropped.
 *
 * A set whose lowest members were cut off has a floor: the highest score that was cut off. At or
 * below it the set would have gaps, so nothing there is kept, and readers turn to PostgreSQL.
 *
 * Scores travel as text, which both sides read as the same double.
 */
export const APPLY = script(`${VANISHED}
local lease, marker, generations = KEYS[1], KEYS[2], KEYS[3]
local token, prefix, generation, mode = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local from, position = ARGV[5], ARGV[6]
local globalMax, communityMax, goneMax =
  tonumber(ARGV[7]), tonumber(ARGV[8]), tonumber(ARGV[9])
local root = prefix .. generation .. ':'

if redis.call('GET', lease) ~= token then return {'lost'} end
if mode == 'live' then
  local served = redis.call('HMGET', marker, 'generation', 'position')
  if served[1] ~= generation or served[2] ~= from then return {'superseded'} end
else
  local filled = redis.call('GET', root .. 'filled') or '0'
  if redis.call('SISMEMBER', generations, generation) == 0 or filled ~= from then
    return {'superseded'}
  end
end

if isGone(root) or isSetGone(root, '') then return {'vanished'} end
for i = 11, #ARGV, 5 do
  if isSetGone(root, ':' .. ARGV[i]) then return {'vanished'} end
end

local revisions, floors, gone, sets =
  root .. 'revisions', root .. 'floors', root .. 'gone', root .. 'sets'
local floorOf, touched, changed, shrunk = {}, {}, {}, {}

local function remove(set, id)
  local removed = redis.call('ZREM', root .. 'hot' .. set, id) == 1
  if removed then shrunk[set] = true end
  return removed
end

local function floor(set)
  if floorOf[set] == nil then
    floorOf[set] = tonumber(redis.call('HGET', floors, set) or '') or false
  end
  return floorOf[set]
end

local function put(set, score, id)
  if floor(set) and tonumber(score) <= floor(set) then
    remove(set, id)
    return false
  end
  if redis.call('ZADD', root .. 'hot' .. set, score, id) == 1 then changed[set] = true end
  touched[set] = true
  return true
end

local function take(id, slug, score, visible, revision)
  local known, knownSet = 0, false
  local stored = redis.call('HGET', revisions, id)
  if stored then
    local colon = string.find(stored, ':', 1, true)
    known, knownSet = tonumber(string.sub(stored, 1, colon - 1)), string.sub(stored, colon)
  end
  if known >= tonumber(revision) then return end
  local set = ':' .. slug
  if visible == '1' then
    local inGlobal, inCommunity = put('', score, id), put(set, score, id)
    if inGlobal or inCommunity then
      redis.call('HSET', revisions, id, revision .. set)
    elseif stored then
      redis.call('HDEL', revisions, id)
    end
    if stored then redis.call('ZREM', gone, id) end
  else
    -- The revision outlives the post for a while, so that a late event cannot bring it back. It comes
    -- first: a Redis that is full refuses it, and nothing has been done then.
    redis.call('HSET', revisions, id, revision .. set)
    redis.call('ZADD', gone, position, id)
    remove('', id)
    if remove(set, id) then changed[set] = true end
  end
  if knownSet and knownSet ~= set then remove(knownSet, id) end
end

local function forgetUnlessIn(set, id)
  if not redis.call('ZSCORE', root .. 'hot' .. set, id) then
    redis.call('HDEL', revisions, id)
  end
end

local function cut(set, max)
  local key = root .. 'hot' .. set
  local excess = redis.call('ZCARD', key) - max
  if excess <= 0 then return end
  local highest = redis.call('ZRANGE', key, excess - 1, excess - 1, 'WITHSCORES')[2]
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', key, '-inf', highest)) do
    local other = ''
    if set == '' then
      local stored = redis.call('HGET', revisions, id) or ':'
      other = string.sub(stored, string.find(stored, ':', 1, true), -1)
    end
    forgetUnlessIn(other, id)
  end
  redis.call('ZREMRANGEBYSCORE', key, '-inf', highest)
  redis.call('HSET', floors, set, highest)
  shrunk[set] = true
end

for i = 10, #ARGV, 5 do
  take(ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3], ARGV[i + 4])
end
for set in pairs(touched) do
  redis.call('SADD', sets, set)
  cut(set, set == '' and globalMax or communityMax)
end
for set in pairs(shrunk) do
  -- One that is empty is no key any more.
  if redis.call('EXISTS', root .. 'hot' .. set) == 0 then redis.call('SREM', sets, set) end
end
local excess = redis.call('ZCARD', gone) - goneMax
if excess > 0 then
  local dropped = redis.call('ZPOPMIN', gone, excess)
  for i = 1, #dropped, 2 do redis.call('HDEL', revisions, dropped[i]) end
end
if mode == 'live' then
  redis.call('HSET', marker, 'position', position)
else
  redis.call('SET', root .. 'filled', position)
end
local answer = {'ok'}
for set in pairs(changed) do answer[#answer + 1] = string.sub(set, 2) end
return answer
`)

/**
 * Makes a finished generation the one served, if it holds all it was filled with. From then on no
 * rebuild is under way: a new request wants what this rebuild did not read.
 */
export const SWAP = script(`${VANISHED}
local lease, marker, generations, rebuild = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local token, prefix, generation, filled = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local position, stream = ARGV[5], ARGV[6]
if redis.call('GET', lease) ~= token then return 'lost' end
if redis.call('SISMEMBER', generations, generation) == 0 then return 'superseded' end
if (redis.call('GET', prefix .. generation .. ':filled') or '0') ~= filled then
  return 'superseded'
end
if isAnyGone(prefix .. generation .. ':') then return 'vanished' end
redis.call('HSET', marker, 'generation', generation, 'position', position, 'stream', stream)
redis.call('HSET', rebuild, 'state', 'idle', 'done', filled, 'total', filled)
return 'ok'
`)

/**
 * Removes at most `max` sets of a generation that is not served, and with the last set the
 * generation. Answers 1 while there may be more to remove. A generation of which some is removed
 * lacks its sentinel, so that it is neither filled nor served. Nothing here needs memory.
 */
export const DROP = script(`
local lease, marker, generations = KEYS[1], KEYS[2], KEYS[3]
local token, prefix, max = ARGV[1], ARGV[2], tonumber(ARGV[3])
local holder = redis.call('GET', lease)
if holder and holder ~= token then return 0 end
local served = redis.call('HGET', marker, 'generation')
for _, generation in ipairs(redis.call('SMEMBERS', generations)) do
  if generation ~= served then
    local root = prefix .. generation .. ':'
    redis.call('SREM', root .. 'sets', '${SENTINEL}')
    local sets = redis.call('SPOP', root .. 'sets', max)
    for _, set in ipairs(sets) do redis.call('UNLINK', root .. 'hot' .. set) end
    if #sets == max then return 1 end
    for i = 4, #ARGV do redis.call('UNLINK', root .. ARGV[i]) end
    redis.call('SREM', generations, generation)
    return 1
  end
end
return 0
`)

/**
 * One page of a set, by score and then id, both falling. Answers nothing when nothing has been
 * built, or keys of it are gone. A cursor names the last post of the page before, which may have
 * moved.
 */
export const PAGE = script(`${VANISHED}
local marker = KEYS[1]
local prefix, set, count, score, id = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4], ARGV[5]
local generation = redis.call('HGET', marker, 'generation')
if not generation then return false end
local root = prefix .. generation .. ':'
if isGone(root) or isSetGone(root, set) then return false end
local key, start = root .. 'hot' .. set, 0
if score ~= '' then
  local now = redis.call('ZSCORE', key, id)
  if now and tonumber(now) == tonumber(score) then
    start = redis.call('ZREVRANK', key, id) + 1
  else
    start = redis.call('ZCOUNT', key, '(' .. score, '+inf')
    for _, tied in ipairs(redis.call('ZREVRANGEBYSCORE', key, score, score)) do
      if tied < id then break end
      start = start + 1
    end
  end
end
return {
  redis.call('HEXISTS', root .. 'floors', set),
  redis.call('ZREVRANGE', key, start, start + count - 1, 'WITHSCORES')
}
`)

/** 1 if no key of the generation served, if there is one, was dropped. */
export const IS_WHOLE = script(`${VANISHED}
local generation = redis.call('HGET', KEYS[1], 'generation')
return (generation and isAnyGone(ARGV[1] .. generation .. ':')) and 0 or 1
`)

/**
 * Extends a lease that is still held; 0 when it is not. Redis stores the time at which a lease
 * ends: if its clock was set back, the lease of a dead worker would last longer, so it is shortened
 * here.
 */
export const RENEW = script(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  if redis.call('PTTL', KEYS[1]) > tonumber(ARGV[2]) then
    redis.call('PEXPIRE', KEYS[1], ARGV[2])
  end
  return 0
end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])
`)

/** Gives a lease back, so that another worker need not wait until it runs out. */
export const RELEASE = script(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])
`)

/** Asks for a rebuild unless one is asked for or under way. */
export const REQUEST_REBUILD = script(`
if redis.call('HGET', KEYS[1], 'state') ~= 'running' then
  redis.call('HSET', KEYS[1], 'state', 'running', 'done', '0', 'total', '0')
end
return 1
`)
