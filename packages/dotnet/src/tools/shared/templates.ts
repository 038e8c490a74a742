import { immutable } from '@mortise/plugin';
import { suggestNames } from '@mortise/plugin/runtime';
import { type ActionContext, ActionError, type ActionResult } from '../../actions/action.js';
import { queryResult, runCli } from '../../actions/cli-action.js';
import { commandFailed } from '../../actions/command-failed.js';
import type { ParameterName } from '../../actions/parameters.js';
import { again, call as nextCall } from '../../advice/next-call.js';
import type { CommandRun } from '../../process/command-run.js';
import { LIST_TEMPLATES } from '../../sdk/sdk-info.js';
import type { Template } from '../../sdk/template-cache.js';
import { parseTable } from './table.js';

interface ListedTemplate {
  name: string;
  shortNames: readonly string[];
  languages: readonly string[];
  type?: string;
  description?: string;
}

interface TemplateListResult extends ActionResult {
  readonly data: { readonly templates: readonly ListedTemplate[] };
}

/**
 * Reads the catalogue. The command that writes it ends with the call.
 * @throws ActionError if the call is cancelled or its time is over during the command
 */
function templatesFor(call: ActionContext, isFresh?: boolean): Promise<readonly Template[] | undefined> {
  return call.services.sdk.templates(call.cwd, {
    isFresh,
    runsCode: !call.isReadOnly,
    async list() {
      const run = await call.dotnet(LIST_TEMPLATES);
      if (run.terminatedBy !== 'exited') throw commandFailed(run, { label: 'Reading the templates' });
    },
  });
}

/** The results for whole catalogues, which are requested most often. */
const wholeAnswers = new WeakMap<readonly Template[], ActionResult>();

export async function listTemplates(call: ActionContext): Promise<ActionResult> {
  const { filter, maxResults, forceReload } = call.args;
  const catalog = await templatesFor(call, forceReload);
  if (!catalog) return listedByCli(call, filter);
  if (filter === undefined && maxResults === undefined) return wholeAnswer(catalog);
  const matches = catalog.filter((template) => filter === undefined || isLike(template, filter));
  return answer(matches.slice(0, maxResults), matches.length);
}

export async function searchTemplates(call: ActionContext): Promise<ActionResult> {
  const { searchTerm, forceReload } = call.args;
  const catalog = await templatesFor(call, forceReload);
  if (!catalog) return listedByCli(call, searchTerm);
  const matches = catalog.filter(
    (template) => isLike(template, searchTerm!) || contains(template.description, searchTerm!),
  );
  return answer(matches, matches.length);
}

export async function templateInfo(call: ActionContext): Promise<ActionResult> {
  const { templateShortName, forceReload } = call.args;
  const catalog = await templatesFor(call, forceReload);
  if (!catalog) {
    const run = await runCli({ label: 'Template', commandArgs: () => ['new', templateShortName!, '--help'] }, call);
    if (!isTemplateHelp(run)) throw templateNotFound(templateShortName!, [], 'templateShortName');
    return queryResult(run, { template: { shortNames: [templateShortName] } });
  }
  const template = findTemplate(catalog, templateShortName!);
  if (!template) throw templateNotFound(templateShortName!, catalog, 'templateShortName');
  const { name, shortNames, author, languages, type, description, parameters } = template;
  const lines = [
    `${name} (${shortNames.join(', ')})`,
    `Author: ${author}`,
    `Languages: ${languages.join(', ')}`,
    `Type: ${type}`,
    description,
    ...(parameters.length > 0 ? ['Parameters:'] : []),
    ...parameters.map((parameter) => {
      const { choices, dataType, defaultValue } = parameter;
      const kind = choices ? choices.join(' | ') : dataType;
      return `  ${parameter.name} (${kind}${defaultValue ? `, default ${defaultValue}` : ''}): ${parameter.description}`;
    }),
  ];
  return { data: { template }, text: lines.filter(Boolean).join('\n') };
}

/**
 * True if the output is a help page. The exit code does not tell, because it is 0 even for an unknown template
 * (docs/spec/dotnet-runtime.md#exit-codes).
 */
export function isTemplateHelp({ output }: Pick<CommandRun, 'output'>): boolean {
  return /^Usage:/m.test(output);
}

/** Finds a template by its short name, in any letter case. */
function findTemplate(catalog: readonly Template[], shortName: string): Template | undefined {
  const lowerCaseName = shortName.toLowerCase();
  return catalog.find(({ shortNames }) => shortNames.some((item) => item.toLowerCase() === lowerCaseName));
}

/** @throws ActionError if the catalogue can be read and does not have the template */
export async function assertTemplate(call: ActionContext, shortName: string): Promise<void> {
  const catalog = await templatesFor(call);
  if (catalog && !findTemplate(catalog, shortName)) throw templateNotFound(shortName, catalog);
}

/**
 * Creates the error for an unknown template. It recommends the same call with the template of the most similar name.
 */
export function templateNotFound(
  shortName: string,
  catalog: readonly Template[],
  parameter: ParameterName = 'template',
): ActionError {
  const similar = suggestNames(
    shortName,
    catalog.flatMap(({ shortNames }) => shortNames),
    MAX_SUGGESTIONS,
  );
  const containing = catalog.filter((template) => isLike(template, shortName)).flatMap(({ shortNames }) => shortNames);
  const suggestions = [...new Set([...similar, ...containing])].slice(0, MAX_SUGGESTIONS);
  const [nearest] = suggestions;
  return new ActionError(`Template '${shortName}' was not found`, {
    errors: [
      {
        code: 'INVALID_PARAMS',
        message: `Template '${shortName}' was not found`,
        category: 'Validation',
        hint:
          nearest === undefined ? 'List the templates that are installed.' : `Did you mean: ${suggestions.join(', ')}`,
        rawOutput: '',
        mcpErrorCode: -32602,
        data: {
          exitCode: -1,
          additionalData: { parameter, reason: 'not found', providedValue: shortName },
        },
        rootCauseKind: 'TemplateNotFound',
        recommendedAction:
          nearest === undefined
            ? nextCall('See which templates are installed.', 'dotnet_sdk', { action: 'ListTemplates' })
            : again(`The template with the most similar name is ${nearest}.`, { [parameter]: nearest }),
      },
    ],
  });
}

const MAX_SUGGESTIONS = 5;

function contains(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase());
}

function isLike({ name, shortNames, type }: Template, part: string): boolean {
  return [name, type, ...shortNames].some((text) => contains(text, part));
}

function wholeAnswer(catalog: readonly Template[]): ActionResult {
  let whole = wholeAnswers.get(catalog);
  if (!whole) {
    const { data, text } = answer(catalog, catalog.length);
    whole = { data: { templates: immutable(data.templates) }, text };
    wholeAnswers.set(catalog, whole);
  }
  return whole;
}

function answer(catalog: readonly Template[], total: number): TemplateListResult {
  const templates = catalog.map(({ name, shortNames, languages, type, description }) => ({
    name,
    shortNames,
    languages,
    type,
    description,
  }));
  return listAnswer(templates, total);
}

function listAnswer(templates: readonly ListedTemplate[], total: number): TemplateListResult {
  const lines = templates.map(({ shortNames, languages, type, name }) => {
    return [shortNames.join(', '), languages.join(', '), type, name].filter(Boolean).join(' | ');
  });
  const all = `${total} template${total === 1 ? '' : 's'}`;
  const count = templates.length < total ? `${templates.length} of ${all}` : all;
  return { data: { templates }, text: [...lines, count].join('\n') };
}

/** Lists the templates with the CLI, if the catalogue cannot be read. */
async function listedByCli(call: ActionContext, term: string | undefined): Promise<ActionResult> {
  const cli = { label: 'Templates', commandArgs: () => LIST_TEMPLATES };
  const run = await runCli({ ...cli, isSuccess: ({ exitCode }) => exitCode === 0 || exitCode === NOT_FOUND }, call);
  const listed = parseTable(run.stdout).map((row) => ({
    name: row['Template Name'] ?? '',
    shortNames: (row['Short Name'] ?? '').split(','),
    languages: (row.Language ?? '').replace(/[[\]]/g, '').split(',').filter(Boolean),
  }));
  const templates = listed.filter(({ name, shortNames }) =>
    [name, ...shortNames].some((text) => term === undefined || contains(text, term)),
  );
  return { ...listAnswer(templates, templates.length), command: run.command };
}

/** The exit code of `dotnet new` if nothing matches (SDK 10). */
const NOT_FOUND = 103;
