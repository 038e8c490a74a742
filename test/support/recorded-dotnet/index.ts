/**
 * Tests of how we read the output of `dotnet`, in files named `*.recorded.test.ts`.
 *
 * In the fast tier no SDK runs. The server finds a program `dotnet` first on PATH (dotnet.cjs), which looks its arguments and
 * its folder up in the recording of the test file (test/recordings), prints the recorded lines, writes the recorded files and
 * exits with the recorded code. The n-th identical command of a test gets the n-th recorded run. A request to the process that
 * evaluates and reads code counts as a command: its method, and the folder of the solution or first project.
 *
 * In the slow tier the server runs the real SDK. The same test file runs in both tiers, so its expectations are checked in both.
 * In addition, each answer of a tool is compared with the recorded one (answer.ts): what we read must be what we read before.
 * With an SDK of another version the answers may differ; these differences are reported at the end of the run.
 *
 * `MORTISE_RECORD=1` runs the real SDK and writes the recordings; `MORTISE_RECORD=answers` replays the commands and writes the
 * answers alone, for a change of ours.
 */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, beforeEach, describe, expect, type RunnerTestCase, type RunnerTestSuite } from 'vitest';
import { hasSdk } from '../../../packages/dotnet/test/sdk.js';
import { realDotnet } from '../dotnet-program.js';
import { ROOT, type Workplace } from '../workplace.js';
import { ASKS_A_FEED, projectionOf, type RecordedAnswer } from './answer.js';
import { reportDifference } from './differences.js';
import { createClock, createIds, createPlaceholders, type Placeholders } from './placeholders.js';
import {
  type RecordedRun,
  type RecordedTest,
  type Recording,
  readRecording,
  recordingPath,
  writeRecording,
} from './recording-file.js';

/** A folder in which commands run, and their environment. */
type Place = Pick<Workplace, 'folder' | 'env'>;

type Mode = 'replay' | 'real' | 'record';

const { MORTISE_RECORD, MORTISE_TEST_TIER } = process.env;
const WRITES_ANSWERS = MORTISE_RECORD === 'answers';
const MODE: Mode = MORTISE_RECORD === '1' ? 'record' : MORTISE_TEST_TIER === 'slow' ? 'real' : 'replay';

/** Whether the commands of this test file are replayed from their recordings. Replaying needs no SDK. */
export const isReplaying = (): boolean => current !== undefined && MODE === 'replay';

/** Tests whose commands are recorded. In the slow tier they need the SDK; in the fast one they need none. */
export function describeRecorded(title: string, body: () => void): void {
  const isSkipped = MODE !== 'replay' && !hasSdk;
  describe.skipIf(isSkipped)(isSkipped ? `${title} (skipped: no dotnet on PATH)` : title, () => {
    let file: RecordedFile;
    beforeAll(() => {
      file = new RecordedFile(expect.getState().testPath!, title);
      current = file;
      // Called after what `body` registers: the last server has ended then.
      return () => {
        current = undefined;
        file.close();
      };
    });
    beforeEach(({ task }) => {
      file.knownTitles = titlesIn(task.file);
      file.enter(titleOf(task));
    });
    afterEach(({ task }) => {
      try {
        file.checkCommands();
        if (task.result?.state !== 'fail') file.checkAnswers();
      } finally {
        file.enter(file.hooks);
      }
    });
    body();
  });
}

/** Gives the workplace the program `dotnet` of the file that runs now; nothing in other files and in the slow tier. */
export function useRecordedDotnet(workplace: Place): void {
  if (MODE !== 'real') current?.attach(workplace);
}

/** Keeps what a call answers. Call it before the tool runs, and the result when it has answered. */
export function expectAnswer(
  workplace: Workplace,
  tool: string,
  args: Readonly<Record<string, unknown>>,
): (isError: boolean, data: unknown) => void {
  return current?.answer(workplace, tool, args) ?? (() => {});
}

/** A text that differs in each run, such as a port of the test's own server, and its name in the recording. */
export function namePlaceholder(name: string, text: string): void {
  current?.name(name, text);
}

let current: RecordedFile | undefined;

/** The full title; the second row of a table with the same title gets a number. */
function titleOf(task: Readonly<RunnerTestCase>): string {
  const same = (task.suite ?? task.file).tasks.filter(({ name }) => name === task.name);
  const number = same.findIndex(({ id }) => id === task.id) + 1;
  const names: string[] = [number > 1 ? `${task.name} #${number}` : task.name];
  for (let { suite } = task; suite; suite = suite.suite) names.unshift(suite.name);
  return names.join(' > ');
}

function titlesIn(suite: RunnerTestSuite): string[] {
  return suite.tasks.flatMap((task) => (task.type === 'suite' ? titlesIn(task) : [titleOf(task)]));
}

let version: string | undefined;
function sdkVersion(): string {
  version ??= spawnSync('dotnet', ['--version'], { encoding: 'utf8' }).stdout.trim();
  return version;
}

/** As record.cjs writes it. */
interface RawRun extends RecordedRun {
  /** Its folder. */
  readonly workplace: string;
}

interface Attached {
  readonly workplace: Place;
  readonly program: string;
}

/** The recording of a test file, while its tests in one `describeRecorded` run. */
class RecordedFile {
  /** What the commands of `beforeAll` are under. */
  readonly hooks: string;
  /** The titles of all tests in the file. */
  knownTitles: readonly string[] = [];
  readonly #own: Record<string, string> = {};
  readonly #path: string;
  readonly #testFile: string;
  readonly #recording: Recording | undefined;
  readonly #folder = mkdtempSync(join(tmpdir(), 'mortise-recorded-'));
  readonly #attached: Attached[] = [];
  /** The titles of the tests that ran, `hooks` among them; a test's number is its index. */
  readonly #titles: string[] = [];
  readonly #answers = new Map<string, RecordedAnswer[]>();
  #title: string;
  readonly #describeTitle: string;

  constructor(testFile: string, title: string) {
    this.#describeTitle = title;
    this.hooks = `${title} (hooks)`;
    this.#title = this.hooks;
    this.#testFile = relative(ROOT, testFile);
    this.#path = recordingPath(testFile);
    this.#recording = readRecording(this.#path);
    for (const name of ['taken', 'runs']) mkdirSync(join(this.#folder, name));
    this.enter(this.hooks);
  }

  attach(workplace: Place): void {
    if (this.#attached.some((other) => other.workplace === workplace)) return;
    const program = join(this.#folder, `bin${this.#attached.length + 1}`);
    mkdirSync(program);
    const module = fileURLToPath(new URL('./dotnet.cjs', import.meta.url));
    writeFileSync(join(program, 'dotnet'), `#!${process.execPath}\nrequire(${JSON.stringify(module)})(__dirname);\n`);
    chmodSync(join(program, 'dotnet'), 0o755);
    workplace.env.PATH = [program, workplace.env.PATH].join(delimiter);
    // It would count before PATH.
    if (process.env.DOTNET_HOST_PATH !== undefined) workplace.env.DOTNET_HOST_PATH = '';
    this.#attached.push({ workplace, program });
    this.#write({ workplace, program });
  }

  name(name: string, text: string): void {
    this.#own[name] = text;
    for (const attached of this.#attached) this.#write(attached);
  }

  /** A test begins, or hooks run. */
  enter(title: string): void {
    this.#title = title;
    if (!this.#titles.includes(title)) this.#titles.push(title);
    if (title !== this.hooks) this.#answers.set(title, []);
    for (const attached of this.#attached) this.#write(attached);
  }

  #write({ workplace, program }: Attached): void {
    const places = this.#placeholders(workplace);
    const runs = this.#recording?.tests[this.#title]?.runs ?? [];
    const state = {
      mode: MODE,
      test: this.#titles.indexOf(this.#title),
      name: this.#title,
      ...(MODE === 'record'
        ? { dotnet: realDotnet(), workplace: workplace.folder, recorded: join(this.#folder, 'runs') }
        : {
            runs: mapTexts(runs, places.fill),
            sdk: this.#recording?.sdk,
            sdks: places.fill('‹dotnet›/sdk'),
            taken: join(this.#folder, 'taken'),
            unrecorded: join(this.#folder, 'unrecorded'),
            how: this.#how(),
          }),
    };
    writeFileSync(join(program, 'state.json'), JSON.stringify(state));
  }

  #how(): string {
    return `Record the file again: MORTISE_RECORD=1 npm run test:slow -- ${this.#testFile}`;
  }

  #placeholders({ folder, env }: Place): Placeholders {
    return createPlaceholders({ ...this.#own, work: folder, temp: env.TMPDIR ?? '/tmp' });
  }

  answer(workplace: Workplace, tool: string, args: Readonly<Record<string, unknown>>) {
    const answers = this.#answers.get(this.#title);
    const call = [tool, args.action].filter(Boolean).join(' ');
    const index = answers?.push({ call, isError: false, data: null }) ?? 0;
    return (isError: boolean, data: unknown) => {
      const places = this.#placeholders(workplace);
      const clock = createClock();
      const ids = createIds();
      const hide = (text: string) => ids(clock(places.hide(text)));
      if (answers)
        answers[index - 1] = { call, isError, data: ASKS_A_FEED.test(call) ? null : projectionOf(data, hide) };
    };
  }

  /** @throws an AssertionError where a command was not recorded */
  checkCommands(): void {
    const unrecorded = join(this.#folder, 'unrecorded');
    if (!existsSync(unrecorded)) return;
    const commands = readFileSync(unrecorded, 'utf8');
    rmSync(unrecorded);
    expect.unreachable(commands);
  }

  /** @throws an AssertionError where an answer is another than the recorded one */
  checkAnswers(): void {
    const answers = this.#answers.get(this.#title) ?? [];
    if (MODE === 'record' || WRITES_ANSWERS) return;
    const recorded = this.#recording?.tests[this.#title]?.answers;
    if (!recorded) return;
    const compare = () =>
      expect(answers, `The answers are not those of the recording. ${this.#how()}`).toEqual(recorded);
    try {
      compare();
    } catch (error) {
      if (MODE === 'replay' || sdkVersion() === this.#recording?.sdk) throw error;
      reportDifference(`${this.#testFile}: ${this.#title}`, recorded, answers);
    }
  }

  close(): void {
    if (MODE === 'record') this.#save(sdkVersion(), (title) => this.#recordedRuns(title));
    else if (WRITES_ANSWERS) {
      const { sdk, tests } = this.#recording!;
      this.#save(sdk, (title) => tests[title]?.runs ?? []);
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #save(sdk: string, runsOf: (title: string) => readonly RecordedRun[]): void {
    const isOld = (title: string) => title.startsWith(`${this.#describeTitle} > `) && !this.knownTitles.includes(title);
    const before = Object.entries(readRecording(this.#path)?.tests ?? {}).filter(([title]) => !isOld(title));
    const tests: Record<string, RecordedTest> = Object.fromEntries(before);
    for (const title of this.#titles) {
      const runs = runsOf(title);
      const answers = this.#answers.get(title) ?? [];
      delete tests[title];
      if (runs.length > 0) tests[title] = { runs, ...(answers.length > 0 && { answers }) };
    }
    writeRecording(this.#path, { sdk, tests });
  }

  #recordedRuns(title: string): RecordedRun[] {
    const folder = join(this.#folder, 'runs');
    const names = readdirSync(folder).filter((name) => name.startsWith(`${this.#titles.indexOf(title)}-`));
    const texts = names.sort().map((name) => readFileSync(join(folder, name), 'utf8'));
    return texts.filter(Boolean).map((text) => this.#neutral(JSON.parse(text) as RawRun));
  }

  #neutral({ workplace, untilSignal, files = {}, ...run }: RawRun): RecordedRun {
    const clock = createClock();
    const ids = createIds();
    const { hide } = this.#placeholders(this.#attached.find((item) => item.workplace.folder === workplace)!.workplace);
    const isTimed = (path: string) => /\.trx$|cobertura|\.log$|\.diag$/.test(path);
    const entries = Object.entries(files).map(([path, content]) => [
      clock(hide(path)),
      mapTexts(content, (text) => (isTimed(path) ? ids(clock(hide(text))) : hide(text))),
    ]);
    return {
      ...mapTexts({ args: run.args, cwd: run.cwd }, hide),
      exitCode: run.exitCode,
      ...(untilSignal && { untilSignal }),
      lines: run.lines.map((line) => clock(hide(line))),
      ...(entries.length > 0 && { files: Object.fromEntries(entries) }),
    };
  }
}

/** The same value with each text, names of members included, replaced. */
function mapTexts<T>(value: T, map: (text: string) => string): T {
  if (typeof value === 'string') return map(value) as T;
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [map(name), mapTexts(item, map)])) as T;
}
