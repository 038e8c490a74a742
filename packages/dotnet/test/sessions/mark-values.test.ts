import { describe, expect, it } from 'vitest';
import { markValues } from '../../src/sessions/mark-values.js';

const marked = (lines: readonly string[]) =>
  lines.map(markValues()).map((line) => line.replace(/\uFDD0[^\uFDD1]*\uFDD1/g, '•'));

describe('a value whose key is on an earlier line', () => {
  it.each([
    [
      ['- name: API_KEY', '  value: hunter2Zq8', 'after'],
      ['- name: API_KEY', '  value: •', 'after'],
    ],
    [
      ['password:', '  hunter2Zq8', 'user: bob'],
      ['password:', '  •', 'user: bob'],
    ],
    [
      ['machine api.example.com', '  login bob', '  password hunter2Zq8'],
      ['machine api.example.com', '  login bob', '  password •'],
    ],
    [
      ['api.key = \\', '    hunter2Zq8', 'next'],
      ['api.key = \\', '    •', 'next'],
    ],
  ])('is marked: %j', (lines, expected) => expect(marked(lines)).toEqual(expected));

  it('is marked although other lines are between them', () => {
    const lines = ['- name: DB_PASSWORD', '  type: x', '  value: "correct horse"', 'after'];
    expect(marked(lines)).toEqual(['- name: DB_PASSWORD', '  type: x', '  value: "•"', 'after']);
  });

  it.each(['\n', '\r\n'])('is marked although colours are between its characters, %j', (end) => {
    const form = `Content-Disposition: form-data; name="password"${end}${end}hunter2Zq8${end}--boundary`;
    const lines = [...form].join('\x1b[1m').split('\n');
    expect(marked(lines)[2]).toMatch(/^(?:\x1b\[1m)*•/);
  });

  it('is marked after a line that can be a part of a private key', () => {
    const base64 = 'MIIEpAIBAAKCAQEA0Z3VS5JJcds3xfn/ygWyF8PbnGy0AHB7MhgwMbRvI0MB';
    expect(marked([base64, 'password:', '  hunter2Zq8'])).toEqual([base64, 'password:', '  •']);
  });
});

it('lines without such a value stay as they are, also those whose secret is found without other lines', () => {
  const lines = ['info: started', 'password=hunter2Zq8', 'name: token', 'done', '', 'Waiting for changes'];
  expect(lines.map(markValues())).toEqual(lines);
});
