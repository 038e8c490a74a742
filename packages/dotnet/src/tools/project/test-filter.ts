import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ActionContext } from '../../actions/action.js';
import { findProject, findUpward } from '../../project-files/find-project.js';
import { vstestFilter } from './name-filter.js';
import type { TestRunner } from './test-runner.js';

/** A name as results print it, alone or as an expression of VSTest; arguments in parentheses are of a row. */
const NAME = /^(?:FullyQualifiedName\s*(?<operator>[=~])\s*)?(?<name>[\w.+`]+)(?:\([^()]*\))?$/;

type FilterOption = readonly [name: string, value: string | undefined];

/** Test frameworks that have filters of their own on Microsoft.Testing.Platform; the others take VSTest's expressions. */
const FRAMEWORKS: readonly {
  /** In the project file, or in the nearest Directory.Build.props or Directory.Packages.props. */
  readonly reference: RegExp;
  /** The option that takes a query of the framework, which begins with a slash. */
  readonly query: string;
  /** @param isPart whether the name may be a part of a full name */
  readonly ofName: (name: string, isPart: boolean) => FilterOption;
}[] = [
  {
    reference: /"TUnit"/,
    query: '--treenode-filter',
    ofName(name, isPart) {
      const any = isPart ? '*' : '';
      const [test = '', type = '*', ...namespace] = name.split('.').reverse();
      return ['--treenode-filter', `/*/${namespace.reverse().join('.') || '*'}/${type}/${any}${test}${any}`];
    },
  },
  {
    reference: /"xunit\.v3(?:\.[\w.]+)?"/,
    query: '--filter-query',
    ofName: (name, isPart) => ['--filter-method', isPart || !name.includes('.') ? `*${name}*` : name],
  },
];

/**
 * The option for a filter: `--filter`, or that of a test framework on Microsoft.Testing.Platform that does not know `--filter`
 * (TUnit 1.81, xUnit.net 3.2). A name from a result and a query of the framework are translated; any other expression is
 * passed unchanged, and the command reports what it does not support.
 */
export function filterOption(call: ActionContext, runner: TestRunner): FilterOption {
  const { filter } = call.args;
  if (filter === undefined) return ['--filter', filter];
  const framework = runner === 'vstest' ? undefined : frameworkOf(call);
  if (framework === undefined) return ['--filter', vstestFilter(filter)];
  if (filter.startsWith('/')) return [framework.query, filter];
  const { operator, name } = NAME.exec(filter)?.groups ?? {};
  return name === undefined ? ['--filter', filter] : framework.ofName(name, operator === '~');
}

function frameworkOf({ args, resolve }: ActionContext) {
  const project = findProject(resolve(args.project ?? '.'));
  if (project === undefined) return undefined;
  const shared = ['Directory.Build.props', 'Directory.Packages.props'].map((name) =>
    findUpward(dirname(project), name),
  );
  const texts = [project, ...shared].map((file) => (file && existsSync(file) ? readFileSync(file, 'utf8') : ''));
  return FRAMEWORKS.find(({ reference }) => texts.some((text) => reference.test(text)));
}
