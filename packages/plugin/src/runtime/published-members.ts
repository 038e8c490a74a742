const PASCAL_CASE: Readonly<Record<string, string>> = {
  Content: 'content',
  IsError: 'isError',
  StructuredContent: 'structuredContent',
  Type: 'type',
  Text: 'text',
  Data: 'data',
  MimeType: 'mimeType',
};

/**
 * Renames members such as `Content` and `IsError` to their names in MCP, with a warning. Returns the object itself if
 * it has none.
 */
export function withCamelCaseMembers(input: object, { warn }: { warn(message: string): void }): object {
  const pascalKeys = Object.keys(input).filter(
    (key) => Object.hasOwn(PASCAL_CASE, key) && !(PASCAL_CASE[key]! in input),
  );
  if (pascalKeys.length === 0) return input;
  const renamings = pascalKeys.map((key) => `'${key}' is read as '${PASCAL_CASE[key]}'`).join(', ');
  warn(`a member of the result is in PascalCase: ${renamings}; MCP has it in camelCase`);
  return Object.fromEntries(
    Object.keys(input).map((key) => {
      const value = (input as Record<string, unknown>)[key];
      return [pascalKeys.includes(key) ? PASCAL_CASE[key] : key, value];
    }),
  );
}
