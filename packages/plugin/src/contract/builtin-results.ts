import { BOOLEAN, closed, INTEGER, list, oneOf, partial, STRING, STRINGS } from './schema-parts.js';

/** A problem of a plugin, a setting or the environment (docs/error-codes.md). */
export const PROBLEM = closed(
  {
    severity: oneOf('error', 'warning'),
    code: STRING,
    message: STRING,
    hint: STRING,
    location: { type: 'object' },
    data: {},
  },
  ['severity', 'code', 'message', 'hint', 'location'],
);

const PLUGIN = closed(
  {
    name: STRING,
    version: STRING,
    origin: { type: 'object' },
    needs: { type: 'object' },
    confinedTo: { type: 'object' },
    kind: STRING,
    path: STRING,
    state: oneOf('loading', 'loaded', 'failed', 'no tools'),
    tools: STRINGS,
    resources: STRINGS,
    prompts: STRINGS,
    problems: { anyOf: [list(PROBLEM), INTEGER] },
    loadMs: INTEGER,
  },
  ['name', 'state', 'tools', 'problems'],
);

/** The results of `builtin.plugins` and `builtin.operate`: List, Status, Reload and Accept. */
export const BUILTIN_RESULT = partial({
  plugins: list(PLUGIN),
  problems: list(PROBLEM),
  added: STRINGS,
  changed: STRINGS,
  removed: STRINGS,
  failed: STRINGS,
  /** True if Reload kept the former settings, because the new ones are wrong. */
  formerSettings: BOOLEAN,
  plugin: STRING,
  sha256: STRING,
});
