import { describe, expect, it } from 'vitest';
import { parsePluginName } from '../../../src/cli/new/plugin-name.js';
import { ScaffoldError } from '../../../src/cli/new/scaffold-error.js';

describe('the names of a new plugin', () => {
  it.each([
    ['my-tool', 'my_tool', 'MyTool', 'My tool'],
    ['weather', 'weather', 'WeatherTool', 'Weather'],
    ['weather.temperature', 'weather.temperature', 'WeatherTemperatureTool', 'Weather temperature'],
    ['3d-print', '3d_print', 'Tool3dPrintTool', '3d print'],
    ['snake_case', 'snake_case', 'SnakeCaseTool', 'Snake case'],
    ['map', 'map', 'MapTool', 'Map'],
    ['mcpx', 'mcpx', 'McpxTool', 'Mcpx'],
    ['a'.repeat(64), 'a'.repeat(64), `A${'a'.repeat(63)}Tool`, `A${'a'.repeat(63)}`],
  ])('of %s are %s, %s and "%s"', (plugin, tool, className, title) => {
    expect(parsePluginName(plugin)).toEqual({ plugin, tool, className, title });
  });

  it.each([
    ['', 'is empty'],
    ['a'.repeat(65), 'longer than 64'],
    ['my tool', 'not allowed'],
    ['my/tool', 'is a path'],
    ['my\\tool', 'is a path'],
    ['..', 'is a path'],
    ['.', 'is a path'],
    ['../my-tool', 'is a path'],
    ['/tmp/my-tool', 'is a path'],
    ['C:\\my-tool', 'is a path'],
    ['@scope/my-tool', 'is a path'],
    ['C:tool', 'uppercase'],
    ['My-Tool', 'uppercase'],
    ['.hidden', 'not allowed'],
    ['_hidden', 'not allowed'],
    ['-flag', 'not allowed'],
    ['tool-', 'not allowed'],
    ['tool..js', 'not allowed'],
    ['größe', 'not allowed'],
    ['tool\n', 'not allowed'],
    ['mcp.github', 'reserved prefix'],
    ['mcp-github', 'reserved prefix'],
    ['builtin', 'reserved prefix'],
    ['my.test.tool', 'is ignored'],
    ['node_modules', 'is ignored'],
    ['con', 'reserved on Windows'],
    ['nul.tool', 'reserved on Windows'],
  ])('%j is refused: it %s', (name, problem) => {
    expect(() => parsePluginName(name)).toThrow(problem);
    expect(() => parsePluginName(name)).toThrow(ScaffoldError);
  });
});
