import type { Locator, Page } from 'playwright-core';
import { describe, test } from 'vitest';
import { CHOICES } from '../../packages/workbench/test/form/corpus/choices.js';
import { COMBINATIONS } from '../../packages/workbench/test/form/corpus/combinations.js';
import { REAL_TOOLS } from '../../packages/workbench/test/form/corpus/real-tools.js';
import { STRUCTURES } from '../../packages/workbench/test/form/corpus/structures.js';
import { VALUES } from '../../packages/workbench/test/form/corpus/values.js';
import type { Step } from '../../packages/workbench/test/form/steps.js';
import { noBrowser } from '../support/browser.js';
import { shared } from '../support/clients.js';
import { expect, openPage } from './page.js';

const ROWS = [...VALUES, ...STRUCTURES, ...CHOICES, ...COMBINATIONS, ...REAL_TOOLS];

/** A plugin with a tool for each schema of the corpus, as a server lists them. */
const plugin = () => `
const SCHEMAS = ${JSON.stringify(ROWS.map(({ schema }) => schema))};
export function register(api) {
  SCHEMAS.forEach((inputSchema, n) => api.registerTool({ name: 'corpus.row' + n, title: 'Row ' + n, description: 'A schema.', inputSchema, run: () => ({ content: 'ok' }) }));
}`;

/** The form of a tool, by what a person finds at a place that a JSON Pointer names. */
class Form {
  readonly #page: Page;
  constructor(page: Page) {
    this.#page = page;
  }

  async perform([at, does, detail]: Step): Promise<void> {
    const text = String(detail);
    const field = this.#field(at);
    switch (does) {
      case 'type':
        return this.#control(at).fill(text);
      case 'pick':
        return this.#pick(at, text);
      case 'choose':
        return this.#choose(at, text);
      case 'add':
        return field.getByRole('button', { name: /^Add / }).first().click();
      case 'item':
        return field
          .getByRole('button', { name: /^Add an item to / })
          .last()
          .click();
      case 'member':
        return this.#addMember(at, text);
      case 'rename':
        return this.#rename(at, text);
      case 'null':
        return field
          .getByRole('button', { name: /^Send null: / })
          .first()
          .click();
      case 'empty':
        return field
          .getByRole('button', { name: /^Send empty text: / })
          .first()
          .click();
      case 'remove':
        return this.#remove(at);
      case 'move':
        return this.#move(at, Number(detail));
      case 'paste':
        return this.#paste(text);
    }
  }

  /** Runs the tool, also with values that are not right. @returns the arguments as they were sent */
  async run(): Promise<string> {
    const request = this.#page.waitForRequest((one) => one.postData()?.includes('"method":"tools/call"') === true);
    await this.#page.getByRole('button', { name: 'Run', exact: true }).click();
    const runAnyway = this.#page.getByRole('button', { name: 'Run anyway' });
    if (await runAnyway.isVisible()) await runAnyway.click();
    return /"arguments":(\{.*\}),"_meta"/.exec((await request).postData()!)![1]!;
  }

  #control(at: string): Locator {
    return this.#page.locator(`[id="field${at}"]`);
  }
  /** With its label, buttons and members. */
  #field(at: string): Locator {
    if (at === '') return this.#page.getByRole('tabpanel', { name: 'Form' });
    return this.#page
      .locator('.field', { has: this.#page.locator(`[id^="field${at}"]`) })
      .filter({
        has: this.#page.locator(`[id="field${at}"], [id="field${at}~label"], [id="field${at}~issues"]`),
      })
      .last();
  }

  async #pick(at: string, text: string): Promise<void> {
    const control = this.#control(at);
    if (await control.and(this.#page.getByRole('combobox')).count()) {
      const labels = await control.getByRole('option').allTextContents();
      const label = labels.find((one) => one === text || one.startsWith(`${text} (`));
      await control.selectOption({ label: label! });
    } else await this.#field(at).getByRole('radio', { name: text }).check();
  }

  async #choose(at: string, text: string): Promise<void> {
    for (const kind of await this.#field(at)
      .getByRole('combobox', { name: /^Kind of / })
      .all()) {
      if (!(await kind.getByRole('option').allTextContents()).includes(text)) continue;
      await kind.selectOption({ label: text });
      return;
    }
    throw new Error(`${at} does not offer ${text}`);
  }

  async #addMember(at: string, name: string): Promise<void> {
    const field = this.#field(at);
    const input = field.getByRole('textbox', { name: /^Name of a new member of / }).last();
    if (!(await input.isVisible())) await field.getByText('Additional properties').last().click();
    await input.fill(name);
    await input.press('Enter');
  }

  async #rename(at: string, name: string): Promise<void> {
    const input = this.#page.getByRole('textbox', { name: `Name of ${at.split('/').at(-1)}`, exact: true });
    await input.fill(name);
    await input.press('Tab');
  }

  async #remove(at: string): Promise<void> {
    const own = this.#field(at)
      .getByRole('button', { name: /^Do not send: / })
      .first();
    if (await own.count()) await own.click();
    else await this.#itemButton(at, /^Remove /).click();
  }

  async #move(at: string, to: number): Promise<void> {
    const from = Number(at.split('/').at(-1));
    const parent = at.slice(0, at.lastIndexOf('/'));
    const step = Math.sign(to - from);
    for (let index = from; index !== to; index += step)
      await this.#itemButton(`${parent}/${index}`, step > 0 ? / down$/ : / up$/).click();
  }

  #itemButton(at: string, name: RegExp): Locator {
    return this.#page
      .locator('li, .named-member', { has: this.#field(at) })
      .last()
      .getByRole('button', { name })
      .last();
  }

  async #paste(text: string): Promise<void> {
    await this.#page.getByRole('tab', { name: 'JSON' }).click();
    await this.#page.getByRole('textbox', { name: 'Arguments as JSON' }).fill(text);
    await this.#page.getByRole('tab', { name: 'Form' }).click();
  }
}

describe.skipIf(noBrowser)('the form corpus in the browser', () => {
  const open = shared((finished) => openPage(finished, {}, ({ write }) => void write('plugins/corpus.mjs', plugin())));

  test.each(ROWS.map((row, index) => ({ ...row, index })))('$title', async ({ index, steps, sent }) => {
    const { page, origin } = open();
    await page.goto(`${origin}/#/tools/corpus_row${index}`);
    await page.getByRole('heading', { name: `Row ${index}`, level: 1 }).waitFor();
    const form = new Form(page);
    for (const step of steps) await form.perform(step);
    expect(await form.run()).toBe(sent);
  });

  test('reports no error', () => expect(open().complaints).toEqual([]));
});
