/** Members of the published C# API, in the spelling that it has there. */
const PASCAL_CASE: Readonly<Record<string, string>> = {
  Content: 'content',
  IsError: 'isError',
  StructuredContent: 'structuredContent',
  Type: 'type',
  Text: 'text',
  Data: 'data',
  MimeType: 'mimeType',
};

/** The object with members such as `Content` and `IsError` under their names in MCP, and a warning; else the object itself. */
export function withCamelCaseMembers(input: object, { warn }: { warn(message: string): void }): object {
  const spelled = Object.keys(input).filter((key) => Object.hasOwn(PASCAL_CASE, key) && !(PASCAL_CASE[key]! in input));
  if (spelled.length === 0) return input;
  const named = spelled.map((key) => `'${key}' is read as '${PASCAL_CASE[key]}'`).join(', ');
  warn(`a member of the result is in PascalCase: ${named}; MCP has it in camelCase`);
  return Object.fromEntries(
    Object.keys(input).map((key) => {
      const value = (input as Record<string, unknown>)[key];
      return [spelled.includes(key) ? PASCAL_CASE[key] : key, value];
    }),
  );
}
