import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CATALOG_CODES, findCode } from '../../../src/advice/codes/code-catalog.js';
import { type AuditServer, startAuditServer } from '../../diagnostics/provoked/audit-server.js';
import type { ProvokingBuild } from '../../diagnostics/provoked/build.js';
import { BUILDS } from '../../diagnostics/provoked/builds.js';
import { endCompilers, provokedBy } from '../../diagnostics/provoked/run-build.js';
import { describeWithSdk } from '../../sdk.js';

/**
 * The report: what each code was provoked by and printed as (docs/dotnet/errors). MORTISE_RECORD=1 writes what is seen
 * into it.
 */
interface Report {
  /** The SDK that printed the messages. */
  sdk: string;
  provoked: Record<string, { build: string; message: string }>;
}

const REPORT = new URL('../../diagnostics/provoked/report.json', import.meta.url);
const report = JSON.parse(readFileSync(REPORT, 'utf8')) as Report;
const notProvoked = JSON.parse(
  readFileSync(new URL('../../diagnostics/provoked/not-provoked.json', import.meta.url), 'utf8'),
) as Record<string, string>;

const codesOf = ({ codes, commands }: ProvokingBuild) => [...codes, ...commands.flatMap(({ code }) => code ?? [])];

describe('the report on the dictionary', () => {
  it('says of each code what provokes it, or why nothing does here', () => {
    const provoked = BUILDS.flatMap(codesOf);
    expect([...provoked, ...Object.keys(notProvoked)].sort()).toEqual([...CATALOG_CODES].sort());
    expect(provoked.length).toBeGreaterThanOrEqual(150);
    expect(provoked.filter((code) => report.provoked[code] === undefined)).toEqual([]);
    for (const reason of Object.values(notProvoked)) expect(reason).toMatch(/^\S.{20,200}[^.]$/);
  });
});

describeWithSdk('each code, against the real SDK', () => {
  const sdk = spawnSync('dotnet', ['--version'], { encoding: 'utf8', cwd: tmpdir() }).stdout?.trim() ?? '';
  const seen: Report['provoked'] = {};
  let folder = '';
  let audit: AuditServer;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'diagnose-'));
    audit = await startAuditServer();
  });
  afterAll(async () => {
    audit.close();
    await endCompilers();
    rmSync(folder, { recursive: true, force: true });
    const lines = BUILDS.map((build) => {
      const codes = codesOf(build);
      return `  ${codes.filter((code) => seen[code]).length} of ${codes.length}  ${build.name}`;
    });
    const missing = Object.entries(notProvoked).map(([code, reason]) => `  ${code}: ${reason}`);
    console.info([`Codes printed by SDK ${sdk}:`, ...lines, 'Not provoked here:', ...missing].join('\n'));
    if (!process.env.MORTISE_RECORD) return;
    const provoked = Object.fromEntries(
      Object.entries({ ...report.provoked, ...seen }).sort(([a], [b]) => (a < b ? -1 : 1)),
    );
    writeFileSync(REPORT, `${JSON.stringify({ sdk, provoked }, undefined, 2)}\n`);
  });

  it.each(BUILDS)(
    '$name',
    async (build) => {
      const own = mkdtempSync(join(folder, `${BUILDS.indexOf(build)}-`));
      const messages = await provokedBy(build, { folder: own, audit: audit.url });
      for (const [code, message] of messages) seen[code] = { build: build.name, message };
      expect(codesOf(build).filter((code) => !messages.has(code))).toEqual([]);
      expect(codesOf(build).filter((code) => !findCode(code))).toEqual([]);
      if (process.env.MORTISE_RECORD || sdk !== report.sdk) return;
      for (const code of codesOf(build)) expect({ code, ...report.provoked[code] }).toEqual({ code, ...seen[code] });
    },
    300_000,
  );
});

/** `dotnet package add <PackageId> --version <version>` of a fix: the words of the verb, and the options. */
interface Command {
  readonly words: readonly string[];
  readonly options: readonly string[];
}

function commandsIn(text: string): Command[] {
  return [...text.matchAll(/(?::\s|^)dotnet ([^;]+)$/g)].map(([, rest]) => {
    const parts = rest!.split(/\s+/);
    const end = parts.findIndex((part) => !/^[a-z][a-z-]*$/.test(part));
    const words = parts.slice(0, end < 0 ? parts.length : end);
    return { words, options: parts.filter((part) => part.startsWith('-')).map((part) => part.split(/[:=]/, 1)[0]!) };
  });
}

const commands = CATALOG_CODES.flatMap((code) => {
  const { hint, suggestedFixes } = findCode(code)!;
  return [hint, ...suggestedFixes].flatMap(commandsIn);
});
const optionsByVerb = new Map<string, Set<string>>();
for (const { words, options } of commands) {
  const helpOptions = optionsByVerb.get(words.join(' ')) ?? new Set();
  for (const option of options) helpOptions.add(option);
  optionsByVerb.set(words.join(' '), helpOptions);
}

describeWithSdk('the real CLI', () => {
  const help = (verb: string) =>
    spawnSync('dotnet', [...verb.split(' ').filter((word) => word !== ''), '--help'], {
      env: { ...process.env, DOTNET_CLI_UI_LANGUAGE: 'en', DOTNET_NOLOGO: '1' },
      encoding: 'utf8',
    });

  it('is named in fixes only for what no action does', () => {
    expect([...optionsByVerb.keys()].sort()).toEqual(['build-server shutdown', 'msbuild', 'nuget trust list']);
  });

  it('is named nowhere in words that are not looked at here', () => {
    const texts = CATALOG_CODES.flatMap((code) => {
      const { title, explanation, hint, suggestedFixes } = findCode(code)!;
      return [title, explanation, hint, ...suggestedFixes].filter((text) => commandsIn(text).length === 0);
    });
    const inSentences = texts.flatMap((text) =>
      [...text.matchAll(/\bdotnet ([a-z][a-z-]*)/g)].map(([, verb]) => verb!),
    );
    for (const verb of new Set(inSentences)) {
      if (verb === 'command') continue;
      expect(help(verb).status, `dotnet ${verb}`).toBe(0);
    }
  });

  it.each([...optionsByVerb])('knows dotnet %s', (verb, options) => {
    const { status, stdout } = help(verb);
    expect(status).toBe(0);
    const text = `${stdout}${verb === 'build' ? help('msbuild').stdout : ''}`;
    if (verb !== '') expect(text).not.toMatch(/^Usage: dotnet \[/m);
    for (const option of options) {
      expect(text, `dotnet ${verb} ${option}`).toMatch(new RegExp(`(?:^|[\\s,|/])${option}(?=[\\s,:=<[|)]|$)`, 'm'));
    }
  });
});
