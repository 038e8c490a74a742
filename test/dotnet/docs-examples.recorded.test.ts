import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withoutCallId } from '../support/call-id.js';
import { describeRecorded } from '../support/recorded-dotnet/index.js';
import { makeWorkplace, removeWorkplace, type Workplace } from '../support/workplace.js';
import { connectSdk, type SdkConnection } from './connect-sdk.js';
import { EXAMPLE_FILES, EXAMPLES, type Example } from './docs-examples.js';

/** An example and what came of it, as the page of its tool shows it. */
interface Recorded extends Example {
  readonly isError: boolean;
  readonly text: string;
  readonly structured: unknown;
}

const FILE = new URL('../../docs/dotnet/examples.json', import.meta.url);
const recorded = JSON.parse(readFileSync(FILE, 'utf8')) as Recorded[];

/** The real results are in docs/dotnet; MORTISE_RECORD=1 writes them again. */
describeRecorded('the examples of the documentation', () => {
  let workplace: Workplace;
  let server: SdkConnection;
  const seen: Recorded[] = [];

  beforeAll(async () => {
    workplace = makeWorkplace({}, { Dotnet: { Enabled: true } });
    for (const [path, content] of Object.entries(EXAMPLE_FILES)) {
      workplace.write(path, '');
      writeFileSync(join(workplace.folder, path), content);
    }
    server = await connectSdk(workplace, { env: { NUGET_PACKAGES: join(workplace.folder, 'packages') } });
  });
  afterAll(async () => {
    await server?.close();
    removeWorkplace(workplace);
    if (process.env.MORTISE_RECORD) writeFileSync(FILE, `${JSON.stringify(seen, undefined, 2)}\n`);
  });

  it('are those that the tests know, at least one for each tool', async () => {
    const { tools } = await server.client.listTools();
    const own = tools.map(({ name }) => name).filter((name) => name.startsWith('dotnet_'));
    expect([...new Set(EXAMPLES.map(({ tool }) => tool))].sort()).toEqual(own.sort());
    if (process.env.MORTISE_RECORD) return;
    expect(recorded.map(({ title, tool, arguments: args }) => ({ title, tool, arguments: args }))).toEqual(EXAMPLES);
  });

  it.each(EXAMPLES)('$title', async (example) => {
    const { text, data, isError } = await server.call(example.tool, example.arguments);
    const now: Recorded = {
      ...example,
      isError,
      text: neutral(text, workplace.folder),
      structured: JSON.parse(neutral(JSON.stringify(withoutCallId(data)), workplace.folder)),
    };
    seen.push(now);
    if (process.env.MORTISE_RECORD) return;
    const then = recorded[EXAMPLES.indexOf(example)]!;
    expect(now.isError).toBe(then.isError);
    expect(shapeOf(now.structured)).toEqual(shapeOf(then.structured));
    expect(words(now.text)).toBe(words(then.text));
  });
});

/** Without the places, ids and times of one run. */
function neutral(text: string, folder: string): string {
  return text
    .replaceAll(folder, '/src')
    .replaceAll(/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?Z?/g, '2026-01-01T09:00:00Z')
    .replaceAll(/("(?:avgDurationMs|durationMs)": ?)[\d.]+/g, '$112.5')
    .replaceAll(/("(?:pid|ownerPid)": ?)\d+/g, '$14711');
}

/** The names and types of all members; of a list, those of its first entry. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value[0])];
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOf(member)]));
}

/** The first line without its figures: lists and versions differ from machine to machine. */
function words(text: string): string {
  return text.split('\n', 1)[0]!.replaceAll(/\d+/g, '0');
}
