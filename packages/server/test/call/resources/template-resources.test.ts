import { expect, it } from 'vitest';
import { checkEntries } from '../../../src/call/resources/template-resources.js';

const limits = { Resources: 10_000, UriChars: 2_000 };

it('lists the entries that fit, and gives each reason why others are not listed', async () => {
  const long = `note://${'x'.repeat(2_000)}`;
  const { entries, faults } = await checkEntries(
    'note://{id}',
    [{ uri: 'note://1' }, { uri: 'other://2' }, { uri: long }, 'note://4'],
    limits,
  );
  expect(entries).toEqual([{ uri: 'note://1' }]);
  expect(faults).toEqual([
    {
      message: 'other://2 (and 1 more) does not fit the template and is not listed',
      hint: 'List only resources whose uri fits note://{id}.',
    },
    {
      message: `${long.slice(0, 200)} is longer than 2,000 characters and is not listed`,
      hint: 'Shorten the uri, or raise Plugins.Limits.UriChars.',
    },
  ]);
});

it('says of URIs beyond the limit of work that they were not matched', async () => {
  const resources = Array.from({ length: 5_000 }, (_, index) => ({ uri: `note://${index}-${'x'.repeat(1_900)}` }));
  const { entries, faults } = await checkEntries('note://{id}', resources, limits);
  expect(entries.length).toBeGreaterThan(0);
  expect(entries.length).toBeLessThan(resources.length);
  const { uri } = resources[entries.length]!;
  const others = resources.length - entries.length - 1;
  expect(faults).toEqual([
    {
      message: `${uri.slice(0, 200)} (and ${others} more) comes after the limit of work to match one list and is not listed`,
      hint: 'List fewer resources or shorter uris.',
    },
  ]);
});
