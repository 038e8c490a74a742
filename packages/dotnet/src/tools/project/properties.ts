import type { Action, ActionContext } from '../../actions/action.js';
import { placeOf } from '../../actions/changed-lines.js';
import { isPropsFile, projectOrProps } from '../../actions/checks.js';
import { missingParameter } from '../../actions/invalid-parameter.js';
import type { Arguments } from '../../actions/parameters.js';
import { getProperties, type PropertyValue } from '../../analysis/query-project.js';
import { HostError } from '../../host/dotnet-host.js';
import { EvaluationError } from '../../msbuild/evaluate.js';
import { secretNamed } from '../../process/secret-names.js';
import { declaredProperty, removeProperty, setProperty } from '../../project-files/edit-project.js';
import { edit, editEach, editLock, GLOBALS, globalsOf, queryFile } from './project-file.js';

const namesOf = ({ propertyName, names = [] }: Arguments) => (propertyName === undefined ? names : [propertyName]);

/** Returns the names and values of the properties to set. */
function valuesOf({ propertyName, propertyValue, properties = {} }: Arguments): [name: string, value: string][] {
  if (propertyName !== undefined) return [[propertyName, propertyValue!]];
  return Object.entries(properties).map(([name, value]) => [name, String(value)]);
}

/** Returns the fields that repeat the arguments: `propertyName` and `propertyValue`, or the map `properties`. */
function setFields({ args }: ActionContext): object {
  const displayed = valuesOf(args).map(([name, value]) => [name, secretNamed(name, value)] as const);
  if (args.propertyName === undefined) return { properties: Object.fromEntries(displayed) };
  return { propertyName: args.propertyName, propertyValue: displayed[0]![1] };
}

/** Returns for example `A = 1 (was 0), B = x`, with secrets marked. */
function assignments(values: readonly [name: string, value: string][], before: string): string {
  const assignment = ([name, value]: [string, string]) => {
    const previous = declaredProperty(before, name);
    const was = previous === undefined ? '' : ` (was ${secretNamed(name, previous) || 'empty'})`;
    return `${name} = ${secretNamed(name, value)}${was}`;
  };
  return values.map(assignment).join(', ');
}

/** Returns the names with the predicate for one name or for several: `A is set`, `A, B are set`. */
function listed(names: readonly string[], one: string, several: string): string {
  return names.length === 1 ? `${names[0]} ${one}` : `${names.join(', ')} ${several}`;
}

function valueLines(
  { propertyName, propertyValue, isSet, valuesByFramework = {}, note, file, line }: PropertyValue,
  cwd: string,
): string[] {
  const byFramework = Object.entries(valuesByFramework).map(
    ([framework, value]) => `${framework}: ${value || '(not set)'}`,
  );
  const frameworkValues = byFramework.length > 0 ? ` (${byFramework.join(', ')})` : '';
  const place = file === undefined ? '' : ` (${placeOf({ cwd }, { file, line: line! })})`;
  const value = isSet ? `${propertyName} = ${propertyValue}${frameworkValues}${place}` : `${propertyName} is not set`;
  return note === undefined ? [value] : [value, note];
}

/** Marks the value of a property as a secret if its name indicates one. */
function displayValue(property: PropertyValue): PropertyValue {
  const { propertyName: name, valuesByFramework: values } = property;
  const displayed = (value: string) => secretNamed(name, value);
  return {
    ...property,
    propertyValue: displayed(property.propertyValue),
    ...(values && {
      valuesByFramework: Object.fromEntries(Object.entries(values).map(([tfm, value]) => [tfm, displayed(value)])),
    }),
  };
}

/** Returns for example ` (was 1.2.3)`, with secrets marked. */
function removedValues(before: string, names: readonly string[]): string {
  const values = names.map((name) => secretNamed(name, declaredProperty(before, name) ?? '') || 'empty');
  return ` (was ${values.join(', ')})`;
}

/**
 * After a removal, returns a line for each property with the value that applies now and its origin. For a file of
 * shared properties it returns no lines, because such a file is not evaluated by itself.
 */
async function evaluatedLines(call: ActionContext, file: string, names: readonly string[]): Promise<string[]> {
  if (isPropsFile(file)) return [];
  try {
    const { values } = await getProperties(call.services.projects(call), file, names);
    return values.map(displayValue).map((value) => {
      const [line] = valueLines(value, call.cwd);
      const isElsewhere = value.isSet && value.file === undefined;
      return `${line}${isElsewhere ? ' (a default of the SDK, or an import)' : ''}`;
    });
  } catch (error) {
    if (!(error instanceof EvaluationError || error instanceof HostError)) throw error;
    return [`the value is not known: ${error.message}`];
  }
}

export const propertyActions: Record<string, Action> = {
  SetProperty: {
    finds: 'project',
    requiredOneOf: ['propertyName', 'properties'],
    optional: ['propertyValue'],
    checks: { project: projectOrProps },
    check({ propertyName, propertyValue }) {
      if (propertyName !== undefined && propertyValue === undefined) throw missingParameter('propertyValue');
    },
    lock: editLock,
    execute: edit(
      (text, { args }) => editEach(text, valuesOf(args), (current, [name, value]) => setProperty(current, name, value)),
      (call, { changed, changedItems }, { place, before }) => {
        const values = changed ? changedItems : valuesOf(call.args);
        const names = values.map(([name]) => name);
        const summary = changed
          ? `Set in ${place}: ${assignments(values, before)}`
          : `${listed(names, 'already has this value', 'already have these values')} in ${place}`;
        return { summary, data: setFields(call) };
      },
    ),
  },
  GetProperty: {
    finds: 'project',
    requiredOneOf: ['propertyName', 'names'],
    optional: GLOBALS,
    checks: { project: projectOrProps },
    isReadOnly: true,
    execute: queryFile(async (call, file) => {
      const { args, services } = call;
      const result = await getProperties(services.projects(call), file, namesOf(args), globalsOf(args));
      const values = result.values.map(displayValue);
      const { success, projectPath, restored } = result;
      const data = args.propertyName === undefined ? { values } : values[0]!;
      return {
        data: { success, projectPath, ...data, restored },
        lines: values.flatMap((value) => valueLines(value, call.cwd)),
      };
    }),
  },
  RemoveProperty: {
    finds: 'project',
    requiredOneOf: ['propertyName', 'names'],
    checks: { project: projectOrProps },
    lock: editLock,
    execute: edit(
      (text, { args }) => {
        let conditionalCount = 0;
        const edited = editEach(text, namesOf(args), (current, name) => {
          const removal = removeProperty(current, name);
          conditionalCount += removal.conditionalCount;
          return removal;
        });
        return { ...edited, conditionalCount };
      },
      async (call, { changed: removed, changedItems, conditionalCount }, { place, path, before }) => {
        const { args } = call;
        const names = removed ? changedItems : namesOf(args);
        const summary = removed
          ? `${listed(names, 'was removed', 'were removed')} from ${place}${removedValues(before, names)}`
          : `${listed(names, 'was not set', 'were not set')} in ${place}`;
        const remaining = conditionalCount > 0 ? `; ${conditionalCount} under a condition stay` : '';
        const { propertyName } = args;
        const nameFields = propertyName === undefined ? { names: args.names } : { propertyName };
        const lines = await evaluatedLines(call, path, names);
        const notes = removed ? lines.map((line) => `Now ${line}`) : lines;
        return { summary: summary + remaining, data: { ...nameFields, removed }, notes };
      },
    ),
  },
};
