import { type CorpusRow, object } from './row.js';

const TREE = {
  ...object({ node: { $ref: '#/$defs/node' } }, 'node'),
  $defs: {
    node: object({ name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/node' } } }, 'name'),
  },
};
const CARD = object({ card: { type: 'string' }, cvc: { type: 'string' } });

/** `allOf`, conditions, references and recursion. */
export const COMBINATIONS: readonly CorpusRow[] = [
  {
    title: 'allOf',
    schema: { type: 'object', allOf: [object({ a: { type: 'string' } }, 'a'), object({ b: { type: 'integer' } })] },
    steps: [
      ['/a', 'type', 'x'],
      ['/b', 'type', '1'],
    ],
    sent: '{"a":"x","b":1}',
  },
  {
    title: 'allOf that narrows a property',
    schema: object({ a: { type: 'integer', allOf: [{ minimum: 5 }] } }),
    steps: [['/a', 'type', '3']],
    sent: '{"a":3}',
    issues: ['/a This must be at least 5.'],
  },
  {
    title: 'if and then',
    schema: {
      ...object({ country: { enum: ['US', 'DE'] } }),
      if: { properties: { country: { const: 'US' } }, required: ['country'] },
      then: object({ zip: { type: 'string' } }, 'zip'),
      else: object({ plz: { type: 'string' } }, 'plz'),
    },
    steps: [
      ['/country', 'pick', 'US'],
      ['/zip', 'type', '94110'],
    ],
    sent: '{"country":"US","zip":"94110"}',
  },
  {
    title: 'if and else',
    schema: {
      ...object({ country: { enum: ['US', 'DE'] } }),
      if: { properties: { country: { const: 'US' } }, required: ['country'] },
      then: object({ zip: { type: 'string' } }, 'zip'),
      else: object({ plz: { type: 'string' } }, 'plz'),
    },
    steps: [
      ['/country', 'pick', 'DE'],
      ['/plz', 'type', '10115'],
    ],
    sent: '{"country":"DE","plz":"10115"}',
  },
  {
    title: 'dependentRequired',
    schema: { ...CARD, dependentRequired: { card: ['cvc'] } },
    steps: [['/card', 'type', '4111']],
    sent: '{"card":"4111"}',
    issues: ['/cvc This value is required.'],
  },
  {
    title: 'dependentSchemas',
    schema: {
      ...object({ card: { type: 'string' } }),
      dependentSchemas: { card: object({ holder: { type: 'string' } }, 'holder') },
    },
    steps: [
      ['/card', 'type', '4111'],
      ['/holder', 'type', 'Ada'],
    ],
    sent: '{"card":"4111","holder":"Ada"}',
  },
  {
    title: '$ref twice',
    schema: {
      ...object({ from: { $ref: '#/$defs/place' }, to: { $ref: '#/$defs/place' } }),
      $defs: { place: object({ city: { type: 'string' } }) },
    },
    steps: [
      ['/from', 'add'],
      ['/from/city', 'type', 'Rome'],
      ['/to', 'add'],
      ['/to/city', 'type', 'Oslo'],
    ],
    sent: '{"from":{"city":"Rome"},"to":{"city":"Oslo"}}',
  },
  {
    title: '$ref with a sibling',
    schema: { ...object({ a: { $ref: '#/$defs/n', maximum: 3 } }), $defs: { n: { type: 'integer' } } },
    steps: [['/a', 'type', '4']],
    sent: '{"a":4}',
    issues: ['/a This must be at most 3.'],
  },
  {
    title: '$ref to an anchor',
    schema: { ...object({ a: { $ref: '#flag' } }), $defs: { f: { $anchor: 'flag', type: 'boolean' } } },
    steps: [['/a', 'pick', 'true']],
    sent: '{"a":true}',
  },
  {
    title: '$ref to definitions of draft-07',
    schema: { ...object({ a: { $ref: '#/definitions/f' } }), definitions: { f: { type: 'boolean' } } },
    steps: [['/a', 'pick', 'true']],
    sent: '{"a":true}',
  },
  {
    title: 'recursion, opened on demand',
    schema: TREE,
    steps: [
      ['/node/name', 'type', 'root'],
      ['/node/children', 'add'],
      ['/node/children', 'item'],
      ['/node/children/0/name', 'type', 'leaf'],
    ],
    sent: '{"node":{"name":"root","children":[{"name":"leaf"}]}}',
  },
  {
    title: 'a member that the schema does not know stays',
    schema: { ...object({ a: { type: 'string' } }), additionalProperties: false },
    steps: [['', 'paste', '{"a":"x","b":1}']],
    sent: '{"a":"x","b":1}',
  },
  {
    title: 'no schema for the arguments',
    schema: { type: 'object' },
    steps: [
      ['', 'member', 'a'],
      ['/a', 'type', 'x'],
    ],
    sent: '{"a":"x"}',
  },
];
