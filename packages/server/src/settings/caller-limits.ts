import { integer, type Member, type MembersOf, milliseconds, type RecordType } from './value-type.js';

const MANY = 1_000_000;
const GIB = 1024 ** 3;

/** The members of `Limits`, of `Profiles.<name>.Limits` and of `Auth.Keys[].Limits`. None has a default: what is absent is not limited. */
export const CALLER_LIMITS = {
  CallsPerSecond: {
    type: integer(1, MANY),
    description:
      'How many calls, prompts and reads of one principal run in a second; further ones are RATE_LIMITED. The rate at which a token bucket of the size Burst is filled.',
  },
  Burst: {
    type: integer(1, MANY),
    description: 'How many of them may come at once after a pause; default: CallsPerSecond.',
  },
  ConcurrentCalls: {
    type: integer(1, MANY),
    description: 'How many of them run at once; further ones wait, or are RATE_LIMITED.',
  },
  QueuedCalls: { type: integer(1, MANY), description: 'How many of them wait; absent: none.' },
  QueueMs: { type: milliseconds(1), description: 'How long a call waits at most; absent: as long as it may take.' },
  Sessions: {
    type: integer(1, MANY),
    description:
      'How many sessions over HTTP are open at once; a further one ends the one that is idle for longest, or is refused (429).',
  },
  Streams: {
    type: integer(1, MANY),
    description:
      'How many streams over HTTP wait for announcements at once (GET, and subscriptions/listen); a further one is refused (429).',
  },
  ResultBytes: {
    type: integer(1024, GIB),
    description: 'Bytes of the result of a tool, where that is less than Output.MaxResultBytes.',
  },
} as const satisfies Record<string, Member>;

/** How much one principal can do (docs/spec/access.md#limits). */
export type CallerLimits = MembersOf<typeof CALLER_LIMITS>;

/** The type of `Limits` of a profile or a key. */
export const CALLER_LIMITS_TYPE = { kind: 'record', members: CALLER_LIMITS } as const satisfies RecordType;
