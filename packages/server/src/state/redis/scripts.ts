import { createHash } from 'node:crypto';
import { MAX_COLLECTION_VALUES, MAX_LIST_VALUES, MAX_MEMBERS } from '../state-store.js';

/** A Lua script for the keys of one group. Redis runs the whole script, and no other command meanwhile. */
export interface Script {
  readonly text: string;
  readonly sha1: string;
  readonly isRead: boolean;
}

const script = (text: string, isRead = false): Script => ({
  text,
  sha1: createHash('sha1').update(text).digest('hex'),
  isRead,
});

const NOW = `local time = redis.call('TIME') local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

/** ARGV: value, token, milliseconds to live, milliseconds of the lease. */
const PUT = `
local lease = '0'
if ARGV[4] ~= '0' then lease = string.format('%d', now + ARGV[4]) end
redis.call('HSET', KEYS[1], 'value', ARGV[1], 'token', token, 'lease', lease)
redis.call('PEXPIRE', KEYS[1], ARGV[3])`;

/** @param at the first of two arguments: the channel, or '' for no message, and the message */
const announce = (at: number) => `if ARGV[${at}] ~= '' then redis.call('PUBLISH', ARGV[${at}], ARGV[${at + 1}]) end`;

/**
 * The operations of a `StateStore`. An entry is a hash: `value`, `token`, and `lease`, the end of the lease in
 * milliseconds since 1970, or 0 for an entry that is never taken over (docs/spec/shared.md#entries). If the lease is over
 * and a replica has tried to take the entry over, `lease` is the end of the doubt as a negative number. A collection is a
 * hash too: `value <id>` for each value, and `index` with the id, the expiry and the length of each, the latest first.
 */
export const SCRIPTS = {
  get: script(
    `${NOW}
local entry = redis.call('HMGET', KEYS[1], 'value', 'token', 'lease')
if not entry[1] then return false end
return {entry[1], entry[2], tonumber(entry[3]) > now and 1 or 0}`,
    true,
  ),
  create: script(`${NOW}
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
local token = '1'${PUT}
return 1`),
  write: script(`${NOW}
local token = redis.call('HGET', KEYS[1], 'token')
if not token then return {'missing'} end
if token ~= ARGV[2] then return {'fenced'} end${PUT}
${announce(5)}
local reply = {'written'}
if KEYS[2] then
  for at, message in ipairs(redis.call('LRANGE', KEYS[2], 0, -1)) do reply[at + 1] = message end
  redis.call('DEL', KEYS[2])
end
return reply`),
  takeOver: script(`${NOW}
local entry = redis.call('HMGET', KEYS[1], 'token', 'lease')
if entry[1] ~= ARGV[2] then return 0 end
local lease = tonumber(entry[2])
if lease == 0 or math.abs(lease) > now then return 0 end
if lease > 0 then
  redis.call('HSET', KEYS[1], 'lease', string.format('%d', -now - ARGV[7]))
  redis.call('PEXPIRE', KEYS[1], string.format('%d', ARGV[3] + ARGV[7]))
  return 0
end
local token = string.format('%d', entry[1] + 1)${PUT}
${announce(5)}
return 1`),
  append: script(`
if redis.call('LLEN', KEYS[1]) >= ${MAX_LIST_VALUES} then return 0 end
redis.call('RPUSH', KEYS[1], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
${announce(3)}
return 1`),
  put: script(`${NOW}
local index, total = {ARGV[1], string.format('%d', now + ARGV[3]), ARGV[4]}, tonumber(ARGV[4])
for id, over, chars in string.gmatch(redis.call('HGET', KEYS[1], 'index') or '', '(%S+) (%d+) (%d+)') do
  total = total + chars
  if tonumber(over) > now and total <= tonumber(ARGV[5]) and #index < ${3 * MAX_COLLECTION_VALUES} then
    for _, part in ipairs({id, over, chars}) do index[#index + 1] = part end
  else
    redis.call('HDEL', KEYS[1], 'value ' .. id)
  end
end
redis.call('HSET', KEYS[1], 'index', table.concat(index, ' '), 'value ' .. ARGV[1], ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])`),
  find: script(
    `${NOW}
for id, over in string.gmatch(redis.call('HGET', KEYS[1], 'index') or '', '(%S+) (%d+) %d+') do
  if id == ARGV[1] and tonumber(over) > now then return redis.call('HGET', KEYS[1], 'value ' .. id) end
end
return false`,
    true,
  ),
  take: script(`${NOW}
local bucket = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local size, perMs = tonumber(ARGV[1]), tonumber(ARGV[2]) / 1000
local tokens = size
if bucket[1] then tokens = math.min(size, bucket[1] + math.max(0, now - bucket[2]) * perMs) end
local wait = 0
if tokens >= 1 then tokens = tokens - 1 else wait = math.ceil((1 - tokens) / perMs) end
redis.call('HSET', KEYS[1], 'tokens', string.format('%.6f', tokens), 'at', string.format('%d', now))
redis.call('PEXPIRE', KEYS[1], string.format('%d', math.ceil(size / perMs) + 1000))
return wait`),
  join: script(`${NOW}
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%d', now))
redis.call('ZADD', KEYS[1], string.format('%d', now + ARGV[2]), ARGV[1])
redis.call('ZREMRANGEBYRANK', KEYS[1], 0, ${-MAX_MEMBERS - 1})
local last = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')
redis.call('PEXPIRE', KEYS[1], string.format('%d', last[2] - now))
return redis.call('ZRANGE', KEYS[1], 0, -1)`),
  members: script(
    `${NOW}
return redis.call('ZRANGE', KEYS[1], string.format('(%d', now), '+inf', 'BYSCORE')`,
    true,
  ),
  leave: script("return redis.call('ZREM', KEYS[1], ARGV[1])"),
} as const;
