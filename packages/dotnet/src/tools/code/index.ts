import type { Action } from '../../actions/action.js';
import { oneOf, projectOrFile } from '../../actions/checks.js';
import type { DotnetTool } from '../../actions/dotnet-tool.js';
import { InvalidParameterError, missingParameter } from '../../actions/invalid-parameter.js';
import type { Arguments, ParameterName } from '../../actions/parameters.js';
import { EDITING } from '../shared/annotations.js';
import { applyChange, applyFixes, editLock, previewOrApply } from './change.js';
import { diagnose } from './diagnose.js';
import { queryCode } from './query.js';

const PAGES = ['limit', 'cursor'] as const;
const SYMBOL = ['symbol', 'file', 'line', 'column'] as const;

/** A line belongs to a file, and a column to a line. */
function checkPlace({ file, line, column }: Arguments): void {
  if (line !== undefined && file === undefined) throw missing('file', 'line');
  if (column !== undefined && line === undefined) throw missing('line', 'column');
}

/** A symbol is named by text, or by file and line. */
function checkSymbol(args: Arguments): void {
  checkPlace(args);
  if (args.symbol === undefined && args.line === undefined)
    throw missingParameter('symbol', 'Give symbol (Cart.Total), or file and line.');
}

function missing(parameter: ParameterName, given: ParameterName): InvalidParameterError {
  const message = `Parameter '${parameter}' is required with '${given}'`;
  return new InvalidParameterError(parameter, 'required', message, { hint: `Give ${parameter}, or omit ${given}.` });
}

/** Actions about one symbol. */
const ofSymbol = (name: string, description: string, lists: string, optional: readonly ParameterName[] = PAGES) =>
  ({
    description,
    optional: [...SYMBOL, ...optional],
    isReadOnly: true,
    lists,
    check: checkSymbol,
    execute: queryCode(name),
  }) satisfies Action;

const actions: Record<string, Action> = {
  Symbols: {
    description: 'find types and members by name',
    required: ['symbol'],
    optional: ['kind', ...PAGES],
    isReadOnly: true,
    lists: 'symbols',
    execute: queryCode('Symbols'),
  },
  Outline: {
    description: 'members of a file or type, or types of a project',
    optional: ['symbol', 'file', ...PAGES],
    isReadOnly: true,
    lists: 'symbols',
    check({ symbol, file, project }) {
      if (symbol === undefined && file === undefined && project === undefined)
        throw missingParameter('symbol', 'Give symbol (the name of a type), file, or project.');
    },
    execute: queryCode('Outline'),
  },
  Definition: ofSymbol('Definition', 'signature, documentation, source', 'symbols', []),
  References: ofSymbol(
    'References',
    'uses with their kind, and implementations; of Shop.*, how many each member has',
    'references',
  ),
  Callers: ofSymbol('Callers', 'calls, and calls of their callers', 'callers', ['depth', ...PAGES]),
  Implementations: ofSymbol('Implementations', 'implementations and overrides', 'symbols'),
  Hierarchy: ofSymbol('Hierarchy', 'bases and derived types', 'symbols'),
  Diagnostics: {
    description: 'errors and warnings of the compiler without a build',
    optional: ['file', 'severity', ...PAGES],
    checks: { severity: oneOf('warn', 'error') },
    isReadOnly: true,
    lists: 'diagnostics',
    execute: diagnose,
  },
  Fixes: {
    description: 'code fixes and refactorings for a file and line, as diffs',
    required: ['file', 'line'],
    optional: ['column', 'code', ...PAGES],
    isReadOnly: true,
    lists: 'fixes',
    execute: queryCode('Fixes'),
  },
  ApplyFix: {
    description:
      'write one of these or, without fix, the one that is meant; without line, repair each error of the file, project or solution for which one fix is meant',
    optional: ['file', 'line', 'column', 'code', 'fix', 'scope', 'hash', 'force'],
    lists: 'changes',
    lock: editLock('fix'),
    check(args) {
      checkPlace(args);
      const ofLine = (['fix', 'scope'] as const).find((name) => args[name] !== undefined);
      if (args.line === undefined && ofLine !== undefined) throw missing('line', ofLine);
    },
    execute: applyFixes,
  },
  Rename: {
    description: 'apply writes it in one call, refused if it conflicts; else a preview',
    required: ['newName'],
    optional: [...SYMBOL, 'comments', 'apply', 'hash', 'force'],
    isReadOnly: true,
    writesWith: ['apply'],
    lists: 'changes',
    check: checkSymbol,
    execute: previewOrApply('Rename'),
  },
  Format: {
    description: 'a file or member by .editorconfig',
    optional: SYMBOL,
    lists: 'changes',
    lock: editLock('format'),
    check(args) {
      checkPlace(args);
      if (args.symbol === undefined && args.file === undefined) throw missingParameter('file', 'Give file, or symbol.');
    },
    execute: applyChange('Format'),
  },
};

export const codeTool: DotnetTool = {
  name: 'dotnet_code',
  title: '.NET Code',
  description:
    'Understands C# code as the compiler does, as it is on disk now, without a build. Name a symbol by text, or by file and line. Nothing has to be loaded first: the solution is that of project, file or folder. ' +
    Object.entries(actions)
      .map(([name, { description }]) => `${name}: ${description}`)
      .join('; '),
  annotations: EDITING,
  actions: Object.fromEntries(
    Object.entries(actions).map(([name, action]) => [
      name,
      { ...action, checks: { project: projectOrFile, ...action.checks } },
    ]),
  ),
  common: ['project', 'workingDirectory', 'timeoutSeconds'],
  describes: {
    project: 'Solution, C# project, folder or file-based app',
    severity: 'warn or error',
    force: 'Write with conflicts too',
  },
  output: {
    target: 'string',
    symbol: 'object',
    symbols: 'array',
    references: 'array',
    callers: 'array',
    diagnostics: 'array',
    documentation: 'string',
    source: 'string',
    countsByProject: 'object',
    totalCount: 'integer',
    nextCursor: 'string',
    notes: 'array',
    errorCount: 'integer',
    warningCount: 'integer',
    recommendedAction: 'object',
    needingGenerators: 'integer',
    withheldGenerators: 'array',
    fixes: 'array',
    fix: 'string',
    repaired: 'array',
    results: 'array',
    changes: 'array',
    conflicts: 'array',
    hash: 'string',
    applied: 'boolean',
  },
};
