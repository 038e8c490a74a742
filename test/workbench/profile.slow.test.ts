import { describe, test } from 'vitest';
import { noBrowser } from '../support/browser.js';
import { shared } from '../support/clients.js';
import { expect, openPage, reloadWithKey } from './page.js';

const READER = 'a-long-access-key-for-a-reader-of-the-page-xx';
const WRITER = 'a-long-access-key-for-a-writer-of-the-page-xx';

/** docs/spec/access.md#reader */
describe.skipIf(noBrowser)('the profile on the page', () => {
  const open = shared((finished) =>
    openPage(finished, {
      Profiles: { kitchen: { Include: ['weather'] } },
      Auth: {
        Keys: [
          { Name: 'cook', Key: READER, Profile: 'kitchen' },
          { Name: 'author', Key: WRITER },
        ],
      },
    }),
  );
  const use = (key: string) => reloadWithKey(open(), key);

  test('is in the header, and what it hides is not on the page', async () => {
    const { page } = open();
    await use(READER);
    await page.getByRole('banner').getByText('cook, profile kitchen').waitFor();
    expect(
      await page
        .getByRole('banner')
        .getByTitle(/You see what kitchen shows\./)
        .count(),
    ).toBe(1);
    await page.getByRole('link', { name: /^Temperature/ }).waitFor();
    expect(await page.getByRole('link', { name: /^Echo/ }).count()).toBe(0);
  });

  test('is in sight on a narrow screen', async () => {
    const { page } = open();
    const size = page.viewportSize()!;
    await page.setViewportSize({ width: 360, height: 800 });
    expect(await page.getByText('cook, profile kitchen').isVisible()).toBe(true);
    await page.setViewportSize(size);
  });

  test('a key without one sees everything, and the header says so', async () => {
    const { page } = open();
    await use(WRITER);
    await page.getByRole('banner').getByText('author, no profile').waitFor();
    await page.getByRole('link', { name: /^Echo/ }).waitFor();
  });
});
