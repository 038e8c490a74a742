import { type CorpusRow, object } from './row.js';

const FILE = object({ path: { type: 'string' }, head: { type: 'number' }, tail: { type: 'number' } }, 'path');

/** Schemas in the form of those that public servers have: files, issues, databases, browsers, time, calendars. */
export const REAL_TOOLS: readonly CorpusRow[] = [
  {
    title: 'reads a file',
    schema: FILE,
    steps: [
      ['/path', 'type', '/tmp/a.txt'],
      ['/tail', 'type', '10'],
    ],
    sent: '{"path":"/tmp/a.txt","tail":10}',
  },
  {
    title: 'edits a file',
    schema: object(
      {
        path: { type: 'string' },
        edits: {
          type: 'array',
          items: object({ oldText: { type: 'string' }, newText: { type: 'string' } }, 'oldText', 'newText'),
        },
        dryRun: { type: 'boolean', default: false },
      },
      'path',
      'edits',
    ),
    steps: [
      ['/path', 'type', 'a'],
      ['/edits', 'item'],
      ['/edits/0/oldText', 'type', 'x'],
      ['/edits/0/newText', 'empty'],
    ],
    sent: '{"edits":[{"oldText":"x","newText":""}],"path":"a"}',
  },
  {
    title: 'creates an issue',
    schema: object(
      {
        owner: { type: 'string' },
        repo: { type: 'string' },
        title: { type: 'string' },
        labels: { type: 'array', items: { type: 'string' } },
      },
      'owner',
      'repo',
      'title',
    ),
    steps: [
      ['/owner', 'type', 'o'],
      ['/repo', 'type', 'r'],
      ['/title', 'type', 't'],
      ['/labels', 'add'],
      ['/labels', 'item'],
      ['/labels/0', 'type', 'bug'],
    ],
    sent: '{"owner":"o","repo":"r","title":"t","labels":["bug"]}',
  },
  {
    title: 'queries a database with parameters of any type',
    schema: object(
      { sql: { type: 'string' }, params: { type: 'array', items: { type: ['string', 'number', 'boolean', 'null'] } } },
      'sql',
    ),
    steps: [
      ['/sql', 'type', 'select ?'],
      ['/params', 'add'],
      ['/params', 'item'],
      ['/params/0', 'choose', 'Number'],
      ['/params/0', 'type', '5'],
      ['/params', 'item'],
      ['/params/1', 'null'],
    ],
    sent: '{"sql":"select ?","params":[5,null]}',
  },
  {
    title: 'makes entities with observations',
    schema: object(
      {
        entities: {
          type: 'array',
          items: object(
            {
              name: { type: 'string' },
              entityType: { type: 'string' },
              observations: { type: 'array', items: { type: 'string' } },
            },
            'name',
            'entityType',
            'observations',
          ),
        },
      },
      'entities',
    ),
    steps: [
      ['/entities', 'item'],
      ['/entities/0/name', 'type', 'n'],
      ['/entities/0/entityType', 'type', 't'],
      ['/entities/0/observations', 'item'],
      ['/entities/0/observations/0', 'type', 'o'],
    ],
    sent: '{"entities":[{"observations":["o"],"name":"n","entityType":"t"}]}',
  },
  {
    title: 'fetches a page',
    schema: object(
      {
        url: { type: 'string', format: 'uri', minLength: 1 },
        max_length: { type: 'integer', default: 5000, exclusiveMinimum: 0, exclusiveMaximum: 1000000 },
        raw: { type: 'boolean', default: false },
      },
      'url',
    ),
    steps: [
      ['/url', 'type', 'https://example.org/'],
      ['/max_length', 'type', '100'],
    ],
    sent: '{"url":"https://example.org/","max_length":100}',
  },
  {
    title: 'converts a time',
    schema: object(
      { source_timezone: { type: 'string' }, time: { type: 'string' }, target_timezone: { type: 'string' } },
      'source_timezone',
      'time',
      'target_timezone',
    ),
    steps: [
      ['/source_timezone', 'type', 'UTC'],
      ['/time', 'type', '12:00'],
      ['/target_timezone', 'type', 'Asia/Tokyo'],
    ],
    sent: '{"source_timezone":"UTC","time":"12:00","target_timezone":"Asia/Tokyo"}',
  },
  {
    title: 'fills a form in a browser',
    schema: object(
      {
        fields: {
          type: 'array',
          items: object(
            {
              ref: { type: 'string' },
              type: { type: 'string', enum: ['textbox', 'checkbox', 'slider'] },
              value: { type: 'string' },
            },
            'ref',
            'type',
            'value',
          ),
        },
      },
      'fields',
    ),
    steps: [
      ['/fields', 'item'],
      ['/fields/0/ref', 'type', 'e1'],
      ['/fields/0/type', 'pick', 'checkbox'],
      ['/fields/0/value', 'type', 'true'],
    ],
    sent: '{"fields":[{"ref":"e1","type":"checkbox","value":"true"}]}',
  },
  {
    title: 'sends optional fields of a model with null as their default',
    schema: object(
      {
        query: { type: 'string' },
        limit: { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }], default: null, title: 'Limit' },
      },
      'query',
    ),
    steps: [['/query', 'type', 'q']],
    sent: '{"query":"q"}',
  },
  {
    title: 'filters with nested conditions',
    schema: {
      ...object({ filter: { $ref: '#/$defs/filter' } }),
      $defs: {
        filter: {
          anyOf: [
            { title: 'Equals', ...object({ field: { type: 'string' }, eq: { type: 'string' } }, 'field', 'eq') },
            { title: 'All of', ...object({ and: { type: 'array', items: { $ref: '#/$defs/filter' } } }, 'and') },
          ],
        },
      },
    },
    steps: [
      ['/filter', 'choose', 'All of'],
      ['/filter/and', 'item'],
      ['/filter/and/0/field', 'type', 'a'],
      ['/filter/and/0/eq', 'type', 'b'],
    ],
    sent: '{"filter":{"and":[{"field":"a","eq":"b"}]}}',
  },
  {
    title: 'makes an event with a time zone or a whole day',
    schema: object(
      {
        start: {
          oneOf: [
            { title: 'Day', ...object({ date: { type: 'string', format: 'date' } }, 'date') },
            { title: 'Time', ...object({ dateTime: { type: 'string', format: 'date-time' } }, 'dateTime') },
          ],
        },
      },
      'start',
    ),
    steps: [
      ['/start', 'choose', 'Time'],
      ['/start/dateTime', 'type', '2026-01-31T12:00:00Z'],
    ],
    sent: '{"start":{"dateTime":"2026-01-31T12:00:00Z"}}',
  },
  {
    title: 'calls an API with headers and a body of any type',
    schema: object(
      {
        method: { enum: ['GET', 'POST'] },
        headers: { type: 'object', additionalProperties: { type: 'string' } },
        body: {},
      },
      'method',
    ),
    steps: [
      ['/method', 'pick', 'POST'],
      ['/headers', 'add'],
      ['/headers', 'member', 'X-A'],
      ['/headers/X-A', 'type', '1'],
      ['/body', 'choose', 'Object'],
      ['/body', 'member', 'k'],
      ['/body/k', 'choose', 'True or false'],
      ['/body/k', 'pick', 'true'],
    ],
    sent: '{"method":"POST","headers":{"X-A":"1"},"body":{"k":true}}',
  },
  {
    title: 'does one of several actions',
    schema: object(
      {
        action: { type: 'string', enum: ['List', 'Status', 'Reload'] },
        plugin: { type: 'string', description: 'Status, Reload: the name of one plugin' },
      },
      'action',
    ),
    steps: [
      ['/action', 'pick', 'Status'],
      ['/plugin', 'type', 'weather'],
    ],
    sent: '{"action":"Status","plugin":"weather"}',
  },
  {
    title: 'builds a project with properties',
    schema: object(
      {
        action: { type: 'string', enum: ['Build', 'Test'] },
        properties: { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } },
      },
      'action',
    ),
    steps: [
      ['/action', 'pick', 'Build'],
      ['/properties', 'add'],
      ['/properties', 'member', 'Version'],
      ['/properties/Version', 'type', '1.2.3'],
    ],
    sent: '{"action":"Build","properties":{"Version":"1.2.3"}}',
  },
];
