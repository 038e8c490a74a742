import { cpSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { atProcessEnd } from '../support/after-file.js';
import { openBrowser } from '../support/browser.js';
import { startHttp } from '../support/clients.js';
import { createWorkplace, type Finished, linkContract, ROOT, type Workplace } from '../support/workplace.js';

/** A real server with the example plugins and those of these tests, and a browser. */
export interface OpenPage {
  readonly origin: string;
  readonly page: Page;
  readonly workplace: Workplace;
  /** What the page reported: errors of scripts, violations of the policy. */
  readonly complaints: readonly string[];
}

interface PageServer {
  readonly workplace: Workplace;
  readonly url: string;
}

async function startServer(
  finished: Finished,
  settings: object = {},
  prepare: (workplace: Workplace) => void = () => {},
): Promise<PageServer> {
  const workplace = createWorkplace({}, settings, finished);
  linkContract(workplace);
  for (const folder of ['examples/plugins', 'test/workbench/plugins']) {
    cpSync(join(ROOT, folder), join(workplace.folder, 'plugins'), { recursive: true });
  }
  prepare(workplace);
  const { url } = await startHttp(workplace, [], finished);
  return { workplace, url };
}

/** Its start, with a process for each plugin, takes two seconds of processor time: the files of a process of tests share it. */
let common: Promise<PageServer> | undefined;

function commonServer(): Promise<PageServer> {
  common ??= startServer(atProcessEnd);
  return common;
}

/** Reloads the page with this access key. */
export async function reloadWithKey({ page }: Pick<OpenPage, 'page'>, key: string): Promise<void> {
  await page.evaluate(`sessionStorage.setItem('mortise.key', ${JSON.stringify(key)})`);
  await page.reload();
  await page.getByText('Connected', { exact: true }).waitFor();
}

/** A page of a server; one without settings and plugins of its own is shared, and changes nothing in it. */
export async function openPage(
  finished: Finished,
  settings?: object,
  prepare?: (workplace: Workplace) => void,
): Promise<OpenPage> {
  const { workplace, url } = await (settings ? startServer(finished, settings, prepare) : commonServer());
  const browser = await openBrowser({ viewport: { width: 1280, height: 720 } });
  finished(() => browser.close());
  const page = await browser.context.newPage();
  const complaints = complaintsOf(page);
  const { origin } = new URL(url);
  await page.goto(origin);
  return { origin, page, workplace, complaints };
}

export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  return complaints;
}

/** Opens a tool by its title in the list. */
export async function openTool(page: Page, title: string): Promise<void> {
  await page.getByRole('searchbox', { name: 'Search the tools' }).fill(title);
  await page.getByRole('link', { name: new RegExp(`^${title}\\b`) }).click();
  await page.getByRole('heading', { name: title, level: 1 }).waitFor();
}

export async function run(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Run', exact: true }).click();
}

/** Waits for a call that ended in this way. */
export async function result(page: Page, state: 'Done' | 'Error' | 'Cancelled' | 'Failed' = 'Done') {
  const region = page.getByRole('region', { name: 'Result' });
  await region.getByRole('heading', { name: state }).waitFor();
  return region;
}

export { expect };

/** The arguments of the last call, as they were on the wire. */
export async function sentArguments(page: Page): Promise<string | undefined> {
  const region = page.getByRole('region', { name: 'Result' });
  await region.getByRole('tab', { name: 'Exchange' }).click();
  await region.getByRole('button', { name: /sent/ }).first().click();
  const message = await region.getByLabel('tools/call').textContent();
  const body = message?.replace(/\n\s*/g, '').replace(/": /g, '":');
  return /"arguments":(\{.*\}),"_meta"/.exec(body ?? '')?.[1];
}

export async function readClipboard(page: Page): Promise<string> {
  return String(await page.evaluate('navigator.clipboard.readText()'));
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds that is serious or critical: its rule and the places. */
export async function axeFindings(page: Page): Promise<string[]> {
  // The policy of the page forbids scripts of others: the browser runs this one in addition.
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(AXE);
  const { violations } = (await page.evaluate(
    "axe.run({ resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } })",
  )) as {
    violations: { id: string; impact: string; nodes: { target: string[] }[] }[];
  };
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}
