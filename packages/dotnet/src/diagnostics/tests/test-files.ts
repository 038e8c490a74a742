import { plainText } from '../parse/clean-line.js';

/** A file that a test run left. */
export interface TestReportFile {
  readonly kind: 'coverage' | 'trx' | 'html' | 'blame';
  /** Absolute. */
  readonly path: string;
}

const KINDS: readonly (readonly [TestReportFile['kind'], RegExp])[] = [
  ['blame', /(?:^|[\\/])Sequence_[0-9a-f]+\.xml$|\.dmp$/i],
  ['trx', /\.trx$/i],
  ['html', /\.html?$/i],
  ['coverage', /\.coverage$|(?:cobertura|opencover|coverage)[^\\/]*\.(?:xml|json)$|lcov[^\\/]*$|\.info$/i],
];

const NAMED = /^\s*(?:Results File: |Html test results file : |Generating report ')(.+?)'?\s*$/;
const LIST_HEADING = /^\s*(?:Attachments|(?:In|Out of) process file artifacts produced):$/;
const LISTED = /^\s+(?:- )?((?:\/|[A-Za-z]:[\\/]|\\\\).+?)\s*$/;

/** The files that a test run reports as written, each once, in the order of their names in the output. */
export function testFilesIn(output: string): TestReportFile[] {
  const paths = new Set<string>();
  let isInList = false;
  for (const line of plainText(output).split(/\r?\n/)) {
    const named = NAMED.exec(line)?.[1];
    if (named !== undefined) paths.add(named);
    const listed: string | undefined = isInList ? LISTED.exec(line)?.[1] : undefined;
    if (listed !== undefined) paths.add(listed);
    isInList = LIST_HEADING.test(line) || listed !== undefined;
  }
  return [...paths].flatMap((path) => {
    const kind = KINDS.find(([, name]) => name.test(path))?.[0];
    return kind === undefined ? [] : [{ kind, path }];
  });
}
