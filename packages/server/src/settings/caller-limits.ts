import { GIB } from '../util/bytes.js';
import { described, integer, milliseconds, record, type ValueOf } from './setting-schema.js';

const MAX_COUNT = 1_000_000;

/**
 * The members of `Limits`, `Profiles.<name>.Limits` and `Auth.Keys[].Limits`. They have no defaults: an absent member
 * means that there is no such limit.
 */
export const CALLER_LIMITS = {
  CallsPerSecond: described(
    integer(1, MAX_COUNT),
    'How many calls, prompts and reads of one principal run in a second; further ones fail with RATE_LIMITED. It is the rate at which a token bucket of the size Burst is filled.',
  ),
  Burst: described(
    integer(1, MAX_COUNT),
    'How many calls, prompts and reads may come together after a pause; by default CallsPerSecond.',
  ),
  ConcurrentCalls: described(
    integer(1, MAX_COUNT),
    'How many calls, prompts and reads run at the same time; further ones wait, or fail with RATE_LIMITED.',
  ),
  QueuedCalls: described(integer(1, MAX_COUNT), 'How many calls, prompts and reads wait; absent: none.'),
  QueueMs: described(milliseconds(1), 'How long a call waits at most; absent: as long as it may take.'),
  Sessions: described(
    integer(1, MAX_COUNT),
    'How many sessions over HTTP are open at the same time; a further one ends the one that is idle for longest, or is refused (429).',
  ),
  Streams: described(
    integer(1, MAX_COUNT),
    'How many streams over HTTP (GET, and subscriptions/listen) wait for announcements at the same time; a further one is refused (429).',
  ),
  ResultBytes: described(
    integer(1024, GIB),
    'Bytes of the result of a tool, if this is less than Output.MaxResultBytes.',
  ),
};

/** The schema of `Limits` of a profile or a key. */
export const CALLER_LIMITS_SCHEMA = record(CALLER_LIMITS);

/** The limits of one principal (docs/spec/access.md#limits). */
export type CallerLimits = ValueOf<typeof CALLER_LIMITS_SCHEMA>;
