import { RECOMMENDED_ACTION } from './error-schemas.js';
import { BOOLEAN, closed, INTEGER, list, oneOf, STRING, STRINGS, TRUE } from './schema-parts.js';

/*
 * The data of results of `dotnet_code`. After a change, set CONTRACT_VERSION in contract-schema.ts as
 * docs/spec/contract.md#compatibility says, and run `npm run generate`.
 */

const SYMBOL = closed(
  {
    name: STRING,
    kind: STRING,
    signature: STRING,
    path: STRING,
    line: INTEGER,
    endLine: INTEGER,
    project: STRING,
    assembly: STRING,
    relation: oneOf('base', 'interface', 'derived', 'implementation', 'override'),
    isGenerated: TRUE,
    referenceCount: INTEGER,
  },
  ['name', 'kind', 'signature'],
);

const REFERENCE = closed(
  {
    path: STRING,
    line: INTEGER,
    column: INTEGER,
    text: STRING,
    member: STRING,
    kind: oneOf(
      'call',
      'construct',
      'write',
      'read',
      'override',
      'implementation',
      'attribute',
      'nameof',
      'type',
      'base',
      'using',
      'documentation',
    ),
    project: STRING,
    usedMember: STRING,
    otherProjects: STRINGS,
    frameworks: STRINGS,
    isGenerated: TRUE,
    depth: INTEGER,
  },
  ['path', 'line', 'column', 'text', 'kind', 'project'],
);

const CODE_DIAGNOSTIC = closed(
  {
    severity: oneOf('error', 'warning'),
    code: STRING,
    message: STRING,
    file: STRING,
    line: INTEGER,
    column: INTEGER,
    project: STRING,
    frameworks: STRINGS,
    needsGenerator: TRUE,
    fixes: STRINGS,
  },
  ['code', 'message', 'severity', 'project'],
);

/** `diff` has the hunks of a unified diff. A new file has no `newPath`, and its hunks remove nothing. */
const CHANGE = closed({ path: STRING, newPath: STRING, diff: STRING }, ['path', 'diff']);

/** A code fix, or without `code` a refactoring. */
const FIX = closed({ id: STRING, title: STRING, code: STRING, hash: STRING, changes: list(CHANGE) }, [
  'id',
  'title',
  'hash',
  'changes',
]);

const ABOUT_SYMBOL = {
  symbol: SYMBOL,
  symbols: list(SYMBOL),
  references: list(REFERENCE),
  callers: list(REFERENCE),
  documentation: STRING,
  source: STRING,
  countsByProject: { type: 'object', additionalProperties: INTEGER },
  totalCount: INTEGER,
  nextCursor: STRING,
} as const;

/** The answer for one of several symbols, or the reason why there is none. */
const OF_SYMBOL = closed({ asked: STRING, problem: STRING, ...ABOUT_SYMBOL }, ['asked']);

/** `line` is that of the error when the fix was applied. */
const REPAIRED = closed({ file: STRING, line: INTEGER, code: STRING, title: STRING }, [
  'file',
  'line',
  'code',
  'title',
]);

export const DOTNET_CODE = {
  target: STRING,
  ...ABOUT_SYMBOL,
  results: list(OF_SYMBOL),
  diagnostics: list(CODE_DIAGNOSTIC),
  notes: STRINGS,
  errorCount: INTEGER,
  warningCount: INTEGER,
  recommendedAction: RECOMMENDED_ACTION,
  needingGenerators: INTEGER,
  withheldGenerators: STRINGS,
  fixes: list(FIX),
  fix: STRING,
  repaired: list(REPAIRED),
  changes: list(CHANGE),
  conflicts: STRINGS,
  hash: STRING,
  applied: BOOLEAN,
} as const;
