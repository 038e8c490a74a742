import type { Arguments, ParameterName } from '../../actions/parameters.js';

/** MSBuild properties of the VSTest command, and the parameter that sets each (Microsoft.Testing.Platform.MSBuild 1.9). */
const PROPERTIES: Readonly<Record<string, ParameterName>> = {
  VSTestTestCaseFilter: 'filter',
  VSTestListTests: 'listTests',
  VSTestLogger: 'logger',
  VSTestResultsDirectory: 'resultsDirectory',
  VSTestCollect: 'collect',
  VSTestBlame: 'blame',
};

const MTP0001 = /\bwarning MTP0001: [^\n]{0,200}The following properties are set: ([^\n]{0,400})/g;

/** The parameters of the call that a project of Microsoft.Testing.Platform ignored under the VSTest command. */
export function ignoredOptions(output: string, args: Arguments): ParameterName[] {
  const properties = [...output.matchAll(MTP0001)].flatMap(([, list]) => list!.match(/VSTest\w+/g) ?? []);
  const names = properties.flatMap((property) => PROPERTIES[property] ?? []);
  return [...new Set(names)].filter((name) => args[name] !== undefined && args[name] !== false);
}
