import { sentenceLines } from '../sentence-lines.mjs';
import { block, code, GENERATED_NOTICE, plain } from './markdown.mjs';

/** The page of a code: what it means, what to do, and how the SDK printed it in the tests, or why it did not. */
export function errorPage(entry, { provoked, notProvoked, sdk }) {
  const { title, explanation, hint, suggestedFixes } = entry;
  return `${[
    GENERATED_NOTICE,
    `# ${entry.code}: ${title}`,
    sentenceLines(plain(explanation)),
    details(entry),
    '## What to do',
    sentenceLines(plain(hint)),
    suggestedFixes.map((fix) => `- ${sentenceLines(plain(fix), '  ')}`).join('\n'),
    ...seen(provoked, notProvoked, sdk),
    'All codes: [codes of the .NET toolchain](../../dotnet-errors.md).',
  ].join('\n\n')}\n`;
}

function details({ category, rootCauseKind, mcpErrorCode, documentationUrl }) {
  return [
    `- Category: ${category}`,
    ...(rootCauseKind ? [`- Root cause: ${code(rootCauseKind)}`] : []),
    ...(mcpErrorCode ? [`- mcpErrorCode: ${mcpErrorCode}`] : []),
    ...(documentationUrl ? [`- Documentation: <${documentationUrl}>`] : []),
  ].join('\n');
}

function seen(provoked, notProvoked, sdk) {
  if (provoked)
    return [
      '## As it is printed',
      sentenceLines(`By SDK ${sdk}, in the test "${provoked.build}":`),
      block(provoked.message),
    ];
  return ['## Not provoked in the tests', sentenceLines(`${plain(notProvoked)}.`)];
}
