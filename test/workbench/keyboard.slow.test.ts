import { describe, test } from 'vitest';
import { noBrowser } from '../support/browser.js';
import { shared } from '../support/clients.js';
import { expect, openPage, result } from './page.js';

describe.skipIf(noBrowser)('the keyboard alone', () => {
  const open = shared((finished) => openPage(finished));
  const press = async (...keys: string[]) => {
    for (const key of keys) await open().page.keyboard.press(key);
  };
  /** Goes with Tab to a control. */
  const tabTo = async (role: 'button' | 'textbox' | 'tab' | 'link' | 'radio', name: string | RegExp) => {
    const control = open().page.getByRole(role, { name }).first();
    for (let steps = 0; steps < 40; steps += 1) {
      if (
        await control.evaluate(
          (element) =>
            element === (globalThis as never as { document: { activeElement: unknown } }).document.activeElement,
        )
      )
        return;
      await press('Tab');
    }
    throw new Error(`Tab does not lead to ${role} ${name}`);
  };

  test('every key of the list at ? does what it says', async () => {
    const { page } = open();
    await page.getByRole('link', { name: /^Count down/ }).waitFor();
    await press('?');
    const keys = page.getByRole('dialog', { name: 'Keys' });
    const listed = await keys.getByRole('term').allTextContents();
    expect(listed).toEqual(['/', 'Ctrl Enter', 'Tab', '← →', '↑ ↓', 't, r, p, h', '?', 'Escape']);
    await press('Escape');
    await expect.poll(() => keys.count()).toBe(0);
    for (const [key, heading] of [
      ['p', 'Plugins'],
      ['h', 'History'],
    ] as const) {
      await press(key);
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
    }
    await press('r');
    await page.getByRole('region', { name: 'All resources' }).waitFor();
    await press('t');
    await page.getByRole('region', { name: 'All tools' }).waitFor();
  });

  test('finds a tool, fills it in, runs it and reads its result', async () => {
    const { page } = open();
    await press('/');
    await page.keyboard.type('temp');
    await press('Enter');
    await page.getByRole('heading', { name: 'Temperature', level: 1 }).waitFor();
    await tabTo('textbox', /^city/);
    await page.keyboard.type('Tokyo');
    await press('Control+Enter');
    await result(page);
    await tabTo('tab', 'Result');
    await press('ArrowRight');
    await page.getByRole('group', { name: 'Structured content' }).waitFor();
    await press('ArrowRight', 'ArrowRight', 'ArrowRight');
    expect(await page.getByRole('tab', { name: 'Result' }).getAttribute('aria-selected')).toBe('true');
  });

  test('goes through the list of tools with the arrow keys', async () => {
    const { page } = open();
    await press('/', 'Control+a', 'Delete');
    await page.keyboard.type('shapes');
    await tabTo('link', /^Ask/);
    await press('ArrowDown', 'ArrowDown', 'ArrowUp', 'Enter');
    await page.getByRole('heading', { name: 'Blocks', level: 1 }).waitFor();
  });

  test('answers a question, and adds and moves items', async () => {
    const { page } = open();
    await press('/', 'Control+a');
    await page.keyboard.type('ask');
    await press('Enter');
    await tabTo('textbox', /^topic/);
    await page.keyboard.type('tea');
    await press('Control+Enter');
    const question = page.getByRole('form', { name: 'Question of the tool' });
    await question.waitFor();
    await tabTo('button', 'Decline');
    await press('Enter');
    await result(page);
    await press('/', 'Control+a');
    await page.keyboard.type('echo');
    await press('Enter');
    await page.getByRole('heading', { name: 'Echo', level: 1 }).waitFor();
    await tabTo('button', 'Add tags');
    await press('Enter');
    await tabTo('button', 'Add an item to tags');
    await press('Enter');
    await tabTo('textbox', 'Item 1');
    await page.keyboard.type('one');
    await tabTo('button', 'Remove Item 1 of tags');
    await press('Space');
    await page.getByText('The list is empty.').waitFor();
  });

  test('skips to the content', async () => {
    const { page } = open();
    await page.reload();
    await page.getByRole('heading', { name: 'Echo', level: 1 }).waitFor();
    await press('Tab', 'Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
  });

  test('reports no error', () => expect(open().complaints).toEqual([]));
});
