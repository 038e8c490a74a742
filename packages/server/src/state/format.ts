/** The number of the format of all values and messages. Raise it for a change that an earlier version would misread. */
const FORMAT = 1;

/** Thrown if another version of Mortise has written a value or message. */
export class OtherFormatError extends Error {
  override readonly name = 'OtherFormatError';
}

export function encode(value: object): string {
  return JSON.stringify({ format: FORMAT, ...value });
}

/** @throws OtherFormatError */
export function decode(text: string): Record<string, unknown> {
  const value = parseObject(text);
  if (value?.format === FORMAT) {
    const { format: _format, ...members } = value;
    return members;
  }
  const format = value === undefined ? 'without a format' : `of format ${JSON.stringify(value.format)}`;
  throw new OtherFormatError(`The shared state has an entry ${format}.`);
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
