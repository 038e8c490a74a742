import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Called } from './sdk-server.js';

/** What the raw CLI did with a copy of the same files. */
export interface Raw {
  readonly exitCode: number;
  readonly output: string;
}

/** One thing that both sides tell, in the same form. */
export interface Aspect {
  readonly name: string;
  ofCall(called: Called, file: (path: string) => string): unknown;
  ofRaw(raw: Raw, file: (path: string) => string): unknown;
}

export const aspect = (name: string, ofCall: Aspect['ofCall'], ofRaw: Aspect['ofRaw']): Aspect => ({
  name,
  ofCall,
  ofRaw,
});
const sorted = (values: Iterable<string>) => [...new Set(values)].sort();
const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match.slice(1));
const sum = (values: readonly string[]) => values.reduce((total, value) => total + Number(value), 0);
const json = ({ output }: Raw) => JSON.parse(output.slice(output.indexOf('{')));

export const SUCCESS = aspect(
  'success',
  ({ isError }) => !isError,
  ({ exitCode }) => exitCode === 0,
);

const countOf = (noun: string) => (output: string) =>
  Number(new RegExp(`^ +(\\d+) ${noun}\\(s\\)`, 'm').exec(output)?.[1] ?? 0);
export const BUILD_COUNTS = aspect(
  'errors and warnings',
  ({ data }) => ({ errors: data.errorCount, warnings: data.warningCount }),
  ({ output }) => ({ errors: countOf('Error')(output), warnings: countOf('Warning')(output) }),
);

interface Reported {
  readonly code: string;
  readonly project?: string;
  readonly projects?: readonly string[];
  readonly data?: { readonly additionalData?: { readonly project?: string; readonly projects?: string } };
}

const codesIn = (reported: readonly Reported[] = []) =>
  reported.flatMap(({ code, project, projects, data: { additionalData = {} } = {} }) => {
    const several = projects ?? additionalData.projects?.split('; ');
    return (several ?? [project ?? additionalData.project ?? '']).map((one) => `${code} ${basename(one)}`);
  });
export const CODES = aspect(
  'codes and their projects',
  ({ data, isError }) => sorted([...codesIn(data.warnings), ...codesIn(isError || data.errors ? data.errors : [])]),
  ({ output }) =>
    sorted(
      matches(
        output,
        /(?:^|: )(?:error|warning) ([A-Z]+\d+): .*?(?:\[([^\]\n]+?)(?:::TargetFramework=[^\]]+)?\])?$/gm,
      ).map(([code, project = '']) => `${code} ${basename(project)}`),
    ),
);
/** Where the message comes from NuGet, the project stands before it. */
export const NUGET_CODES = aspect('codes and their projects', CODES.ofCall, ({ output }) =>
  sorted(matches(output, /^(\S+proj) : error (NU\d+)/gm).map(([project, code]) => `${code} ${basename(project!)}`)),
);

export const TEST_COUNTS = aspect(
  'counts of tests',
  ({ data: { passed = 0, failed = 0, skipped = 0, total = 0 } }) => ({ passed, failed, skipped, total }),
  ({ output }) => {
    const of = (name: string) =>
      sum(matches(output, new RegExp(`^(?:Passed|Failed|Skipped)! .*?${name}: +(\\d+)`, 'gm')).flat() as string[]);
    return { passed: of('Passed'), failed: of('Failed'), skipped: of('Skipped'), total: of('Total') };
  },
);
/** The console of VSTest has the method of NUnit's tests alone. */
const methodOf = (name: string) => name.slice(name.lastIndexOf('.') + 1);
export const FAILED_TESTS = aspect(
  'failed tests',
  ({ data }) => sorted((data.failedTests as string[] | undefined)?.map(methodOf) ?? []),
  ({ output }) => sorted(matches(output, /^ +Failed (\S+?)(?:\(.*?\))? \[/gm).map(([name]) => methodOf(name!))),
);
/** Microsoft.Testing.Platform counts the whole run, and writes rows in the way of each framework. */
const rowOf = (name: string) => name.replace(/ ?\(.*$/, '');
export const PLATFORM_COUNTS = aspect('counts of tests', TEST_COUNTS.ofCall, ({ output }) => {
  // A run that printed no counts is not equal to one without tests.
  const of = (name: string) => Number(new RegExp(`^ {2}${name}: (\\d+)$`, 'm').exec(output)?.[1]);
  return { passed: of('succeeded'), failed: of('failed'), skipped: of('skipped'), total: of('total') };
});
export const PLATFORM_FAILED = aspect('failed tests', FAILED_TESTS.ofCall, ({ output }) =>
  sorted(matches(output, /^failed (\S.*) \(\d\S*\)$/gm).map(([name]) => methodOf(rowOf(name!)))),
);
export const PLATFORM_NAMES = aspect(
  'names of tests',
  ({ data }) => sorted((data.tests as string[]).map((name) => methodOf(rowOf(name)))),
  ({ output }) => sorted(matches(output, /^ {2}(\S.*)$/gm).map(([name]) => methodOf(rowOf(name!)))),
);
export const TEST_NAMES = aspect(
  'names of tests',
  ({ data }) => sorted(data.tests),
  ({ output }) => sorted(matches(output, /^ {4}(\S.*)$/gm).flat() as string[]),
);

export const LISTED = aspect(
  'projects',
  ({ data }) => sorted(data.projects ?? []),
  ({ output }) => sorted(matches(output, /^(\S+proj)\s*$/gm).flat() as string[]),
);

interface Framework {
  readonly topLevelPackages?: readonly Package[];
  readonly transitivePackages?: readonly Package[];
}
interface Package {
  readonly id?: string;
  readonly name?: string;
  readonly requestedVersion?: string;
  readonly resolvedVersion?: string;
  readonly autoReferenced?: string;
}
/** The CLI prints the range `[2.0.3, )` of packages that the SDK adds, and `2.0.3` of all others. */
const packageText = ({ id, name, requestedVersion = '', resolvedVersion = '' }: Package) =>
  `${id ?? name} ${requestedVersion.replace(/^\[(.*), \)$/, '$1')} ${resolvedVersion}`;
export const PACKAGES = aspect(
  'packages',
  ({ data }) => sorted((data.packages as Package[]).map(packageText)),
  (raw) =>
    sorted(
      (json(raw).projects as { frameworks?: Framework[] }[])
        .flatMap(({ frameworks = [] }) => frameworks)
        .flatMap(({ topLevelPackages = [], transitivePackages = [] }) => [...topLevelPackages, ...transitivePackages])
        .map(packageText),
    ),
);

export const VALUES = aspect(
  'values',
  ({ data }) =>
    Object.fromEntries(
      (data.values as { propertyName: string; propertyValue: string }[]).map((one) => [
        one.propertyName,
        one.propertyValue,
      ]),
    ),
  (raw) => json(raw).Properties,
);
export const ITEMS = aspect(
  'items',
  ({ data }) => sorted((data.items as { include: string }[]).map(({ include }) => include)),
  (raw) =>
    sorted(
      Object.values(json(raw).Items as Record<string, { Identity: string }[]>)
        .flat()
        .map((one) => one.Identity),
    ),
);
export const REFERENCES = aspect(
  'references',
  ({ data }) => sorted((data.references as string[]).map((path) => path.replaceAll('\\', '/'))),
  ({ output }) =>
    sorted(
      matches(output, /^(\S+proj)\s*$/gm)
        .flat()
        .map((path) => path!.replaceAll('\\', '/')),
    ),
);
export const FORMATTED = aspect(
  'files with findings',
  ({ data }) =>
    sorted((data.diagnostics as { file: string; code: string }[]).map(({ file, code }) => `${basename(file)} ${code}`)),
  ({ output }) =>
    sorted(matches(output, /([\w.]+)\(\d+,\d+\): error (\w+):/g).map(([file, code]) => `${file} ${code}`)),
);
/** The files that a command changed, byte by byte. */
export const files = (...paths: string[]) => {
  const read = (file: (path: string) => string) => paths.map((path) => readFileSync(file(path), 'utf8'));
  return aspect(
    'files',
    (_, file) => read(file),
    (_, file) => read(file),
  );
};
export const prints = (text: string) =>
  aspect(
    `prints ${text}`,
    (one) => one.text.includes(text),
    (one) => one.output.includes(text),
  );
