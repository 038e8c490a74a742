import type { CodeInfo } from './code-info.js';

/** Diagnostics of F#, Visual Basic, `dotnet format` and Microsoft.Testing.Platform, and NuGet's messages without a code. */
export const OTHER_CODES: Readonly<Record<string, CodeInfo>> = {
  FS0001: {
    title: 'Types do not agree',
    explanation: 'The expression has another type than its context expects.',
    hint: 'Make both types the same, or convert the value.',
    suggestedFixes: [
      'Convert the value, for example by int, string or Some',
      'Check that all branches of if and match have one type',
    ],
  },
  FS0010: {
    title: 'Unexpected syntax',
    explanation: 'The parser found a word or symbol that is not allowed here, often after wrong indentation.',
    hint: 'Check the indentation and the line before.',
    suggestedFixes: ['Correct the indentation', 'Complete the expression before this location'],
  },
  FS0025: {
    title: 'Incomplete matches',
    explanation: 'Some values match none of the patterns.',
    hint: 'Add the missing cases.',
    suggestedFixes: ['Add the case that the message names', 'Add a _ case'],
  },
  FS0039: {
    title: 'Not defined',
    explanation: 'The value, type, namespace or member is not known here.',
    hint: 'Check the spelling, the open declarations and the order of files.',
    suggestedFixes: [
      'Correct the spelling',
      'Open the namespace or module',
      'Put the file that defines it above this one in the project',
    ],
  },
  FS0058: {
    title: 'Possibly wrong indentation',
    explanation: 'A line is indented less than the construct that it belongs to.',
    hint: 'Indent the line further.',
    suggestedFixes: ['Align the line with the construct it belongs to'],
  },
  BC30002: {
    title: 'Type not defined',
    explanation: 'No type of this name is visible.',
    hint: 'Import its namespace, or add the package or reference that has it.',
    suggestedFixes: [
      'Add an Imports line',
      'Add the package that contains it: dotnet_package {"action":"Add","packageId":"<PackageId>"}',
      'Correct the spelling',
    ],
  },
  BC30451: {
    title: 'Name not declared',
    explanation: 'Nothing with this name is visible here.',
    hint: 'Check the spelling, or declare it.',
    suggestedFixes: ['Declare the variable', 'Import the module or namespace', 'Make the member accessible'],
  },
  NUGET_NO_SOURCES: {
    title: 'No package source',
    explanation: 'No package source is configured, or none of those that are may be used.',
    hint: 'Add a package source, or remove what clears or disables the usual ones in nuget.config.',
    suggestedFixes: [
      'Add the source: dotnet_package {"action":"AddSource","name":"<name>","source":"<address>"}',
      'Remove <clear /> or the entry of disabledPackageSources',
    ],
  },
  NUGET_NO_SEARCH: {
    title: 'Source without search',
    explanation: 'The package source has no search service. It finds a package by its exact id alone.',
    hint: 'Search for the exact id, or name a source that has a search service.',
    suggestedFixes: [
      'Search for the exact id: exactMatch finds a package without a search service',
      'Search another source: give its name or address as source',
    ],
  },
  WHITESPACE: {
    title: 'Formatting differs',
    explanation: 'The format check found white space that differs from the rules of the project.',
    hint: 'Format the project.',
    suggestedFixes: ['Let the tool correct it: dotnet_project {"action":"Format"}'],
  },
  MTP0001: {
    title: 'Option without effect',
    explanation: 'A VSTest setting was given to a project that runs on Microsoft.Testing.Platform.',
    hint: 'Use the options of Microsoft.Testing.Platform.',
    suggestedFixes: [
      'Choose that runner in global.json: "test": { "runner": "Microsoft.Testing.Platform" }',
      'Remove the VSTest properties from the project',
    ],
  },
};
