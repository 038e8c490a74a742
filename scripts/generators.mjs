/** Scripts that write files of the repository from tables in the sources: what they write, and the script. */
export const GENERATORS = [
  ['generated tables of the methods of MCP', 'scripts/mcp-methods.mjs'],
  ['generated table of what passes to and from mounted servers', 'scripts/mounted-members.mjs'],
  ['generated settings', 'scripts/settings-docs.mjs'],
  ['generated error codes', 'scripts/error-codes-docs.mjs'],
  ['schema of the contract', 'scripts/contract-schema.mjs'],
  ['generated tables of the audit and the metrics', 'scripts/operation-docs.mjs'],
  ['generated pages of the .NET tools', 'scripts/dotnet-docs.mjs'],
  ['pinned definitions of tools', 'scripts/tool-definitions.mjs'],
];
