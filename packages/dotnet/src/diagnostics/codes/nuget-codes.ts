import { type CodeInfo, RESOURCE_NOT_FOUND } from './code-info.js';

/** Diagnostics of NuGet (that of SDK 10.0.401). */
export const NUGET_CODES: Readonly<Record<string, CodeInfo>> = {
  NU1001: {
    title: 'No target framework',
    explanation: 'The project names no target framework, so nothing can be restored for it.',
    hint: 'Set TargetFramework.',
    suggestedFixes: ['Set TargetFramework in the project'],
  },
  NU1003: {
    title: 'Fallbacks exclude each other',
    explanation: 'PackageTargetFallback and AssetTargetFallback are set together.',
    hint: 'Remove PackageTargetFallback.',
    suggestedFixes: ['Remove PackageTargetFallback from the project and its imports'],
  },
  NU1004: {
    title: 'Lock file does not agree',
    explanation: 'packages.lock.json differs from the project, and locked mode forbids changing it.',
    hint: 'Update the lock file, then commit it.',
    suggestedFixes: ['Restore without lockedMode, which updates the lock file'],
  },
  NU1005: {
    title: 'Lock file without lock mode',
    explanation: 'A packages.lock.json exists, but RestorePackagesWithLockFile is false.',
    hint: 'Remove the file, or the property.',
    suggestedFixes: ['Set RestorePackagesWithLockFile to true', 'Delete packages.lock.json'],
  },
  NU1008: {
    title: 'Version in a centrally managed project',
    explanation: 'With central package management, a PackageReference must not have a Version.',
    hint: 'Move the version to Directory.Packages.props.',
    suggestedFixes: [
      'Put a PackageVersion into Directory.Packages.props and remove Version here',
      'Use VersionOverride for one project',
    ],
  },
  NU1009: {
    title: 'Version of an implicit package',
    explanation: 'Directory.Packages.props gives the version of a package that the SDK references by itself.',
    hint: 'Remove that PackageVersion.',
    suggestedFixes: ['Remove the PackageVersion item'],
  },
  NU1010: {
    title: 'No central version',
    explanation: 'With central package management, the package has no PackageVersion.',
    hint: 'Add it to Directory.Packages.props.',
    suggestedFixes: ['Add a PackageVersion item with the version'],
  },
  NU1011: {
    title: 'Floating central version',
    explanation: 'Central versions must not float.',
    hint: 'Write an exact version.',
    suggestedFixes: ['Replace * by a version', 'Set CentralPackageFloatingVersionsEnabled to true'],
  },
  NU1012: {
    title: 'Platform version missing',
    explanation: 'A target framework names a platform without version, and none is known.',
    hint: 'Give the platform version, or install the workload.',
    suggestedFixes: [
      'Write the version into TargetFramework, for example net10.0-windows10.0.19041.0',
      'Install the workload: dotnet_workload {"action":"Restore"}',
    ],
  },
  NU1013: {
    title: 'VersionOverride forbidden',
    explanation: 'A project overrides a central version, and that is switched off.',
    hint: 'Remove VersionOverride, or allow it.',
    suggestedFixes: ['Remove VersionOverride', 'Set CentralPackageVersionOverrideEnabled to true'],
  },
  NU1015: {
    title: 'Package without version',
    explanation: 'A PackageReference has no version.',
    hint: 'Give the version.',
    suggestedFixes: [
      'Add the package with a version: dotnet_package {"action":"Add","packageId":"<PackageId>","version":"<version>"}',
      'With central versions: give it a PackageVersion in Directory.Packages.props',
    ],
  },
  NU1100: {
    title: 'Package cannot be resolved',
    mcpErrorCode: RESOURCE_NOT_FOUND,
    explanation: 'No source offers this package for the framework: often the name is wrong or a source is missing.',
    hint: "Check the package's name, and the sources.",
    suggestedFixes: [
      'Look at the sources: dotnet_package {"action":"ListSources"}',
      'Search for a part of the name: dotnet_package Search takes it as searchTerm',
      'Check package source mapping in nuget.config',
    ],
  },
  NU1101: {
    title: 'Package not found',
    mcpErrorCode: RESOURCE_NOT_FOUND,
    explanation: 'The specified NuGet package does not exist in the configured package sources.',
    hint: 'Unable to find package. Check package name and source.',
    suggestedFixes: [
      'Correct the package id',
      'Search for a part of the name: dotnet_package Search takes it as searchTerm',
      'Look at the sources: dotnet_package {"action":"ListSources"}',
      'Check package source mapping in nuget.config',
    ],
  },
  NU1102: {
    title: 'Version not found',
    mcpErrorCode: RESOURCE_NOT_FOUND,
    explanation: 'The package exists, but not in this version.',
    hint: 'Use a version that exists: the message names the nearest one.',
    suggestedFixes: [
      'See the versions: dotnet_package {"action":"Search","searchTerm":"<PackageId>","exactMatch":true}',
      'Add another version: dotnet_package {"action":"Add","packageId":"<PackageId>","version":"<version>"}',
      'Add the source that has it',
    ],
  },
  NU1103: {
    title: 'Only prerelease versions',
    explanation: 'The package has only prerelease versions in this range.',
    hint: 'Allow the prerelease version.',
    suggestedFixes: [
      'Add the prerelease: dotnet_package {"action":"Add","packageId":"<PackageId>","prerelease":true}',
      'Write the prerelease version explicitly',
    ],
  },
  NU1104: {
    title: 'Referenced project missing',
    mcpErrorCode: RESOURCE_NOT_FOUND,
    explanation: 'A project reference points to a project file that is not there.',
    hint: 'Correct the path of the project reference.',
    suggestedFixes: [
      'Correct the ProjectReference',
      'Remove it: dotnet_package {"action":"RemoveReference","referencePath":"<project>"}',
    ],
  },
  NU1105: {
    title: 'Project cannot be read',
    explanation: 'Restore could not read a project, mostly because it does not load.',
    hint: 'Load the project by itself and correct its errors.',
    suggestedFixes: [
      'Build the project that the message names: dotnet_project {"action":"Build","project":"<project>"}',
      'Check its target framework',
    ],
  },
  NU1106: {
    title: 'Requests cannot be satisfied',
    explanation: 'Packages ask for versions of one package that exclude each other.',
    hint: 'Make the requests agree.',
    suggestedFixes: [
      'See which package asks for which version: dotnet_package {"action":"Why","packageId":"<PackageId>"}',
      'Update the packages that ask for the old version',
    ],
  },
  NU1107: {
    title: 'Version conflict',
    explanation: 'Two packages in the dependency graph require different versions of a third one.',
    hint: 'Reference the third package directly in a version that both accept.',
    suggestedFixes: [
      'Add it directly: dotnet_package {"action":"Add","packageId":"<PackageId>","version":"<version>"}',
      'See which package references it: dotnet_package {"action":"Why","packageId":"<PackageId>"}',
      'Update the packages that disagree',
    ],
  },
  NU1108: {
    title: 'Circular dependency',
    explanation:
      'A package or project depends on itself through others, often because a project has the name of a package.',
    hint: 'Break the cycle that the message shows.',
    suggestedFixes: ['Rename the project, or set another PackageId', 'Remove the reference that closes the cycle'],
  },
  NU1109: {
    title: 'Downgrade by a central version',
    explanation: 'The central version is lower than what a dependency requires.',
    hint: 'Raise the central version.',
    suggestedFixes: ['Raise the PackageVersion in Directory.Packages.props'],
  },
  NU1110: {
    title: 'Source of a cached package not configured',
    explanation: 'The package is in the global packages folder, but comes from a source that is not configured here.',
    hint: 'Map the package to a configured source, or clear it from the folder.',
    suggestedFixes: [
      'Add a package source mapping',
      'Clear the folder: dotnet_package {"action":"ClearCache","cacheType":"global-packages"}',
    ],
  },
  NU1201: {
    title: 'Project not compatible',
    explanation: 'A referenced project does not support the target framework of this one.',
    hint: 'Make the target frameworks agree.',
    suggestedFixes: [
      "Add the framework to the referenced project's TargetFrameworks",
      'Raise the framework of this project',
    ],
  },
  NU1202: {
    title: 'Package not compatible',
    explanation: 'The package has nothing for the target framework of the project.',
    hint: 'Use a version of the package that supports the framework, or target another framework.',
    suggestedFixes: [
      'See other versions: dotnet_package {"action":"Search","searchTerm":"<PackageId>","exactMatch":true}',
      'Target one of the frameworks that the message lists',
    ],
  },
  NU1203: {
    title: 'Package lacks the runtime',
    explanation: 'The package has no run-time assembly for the runtime identifier.',
    hint: 'Use another runtime identifier, or another package.',
    suggestedFixes: ['Change RuntimeIdentifier', 'Use another version of the package'],
  },
  NU1212: {
    title: 'Project and package do not fit',
    explanation: 'A tool package is referenced by an ordinary project, or an ordinary package as a tool.',
    hint: 'Install tools as tools.',
    suggestedFixes: [
      'Install it as a tool: dotnet_tool {"action":"Install","packageId":"<PackageId>"}',
      'Remove the reference: dotnet_package {"action":"Remove","packageId":"<PackageId>"}',
    ],
  },
  NU1213: {
    title: 'Package type not allowed',
    explanation: 'The package is of a type, for example DotnetPlatform, that a project cannot reference.',
    hint: 'Remove the reference.',
    suggestedFixes: [
      'Remove it: dotnet_package {"action":"Remove","packageId":"<PackageId>"}',
      'Use a FrameworkReference instead, for a shared framework',
    ],
  },
  NU1301: {
    title: 'Source cannot be reached',
    explanation: 'A package source does not answer, or refuses the request.',
    hint: 'Check the network, the address of the source and its credentials.',
    suggestedFixes: [
      'Look at the sources: dotnet_package {"action":"ListSources"}',
      'Log in to the source: dotnet_package {"action":"UpdateSource","name":"<name>","username":"<user>","credentialVariable":"<VARIABLE>"}',
      'Remove the source: dotnet_package {"action":"RemoveSource","name":"<name>"}',
    ],
  },
  NU1302: {
    title: 'Source without HTTPS',
    explanation: 'A source uses plain HTTP, which NuGet refuses.',
    hint: 'Use an HTTPS address, or allow the source expressly.',
    suggestedFixes: [
      'Change the address to https',
      'Allow HTTP for the source: dotnet_package {"action":"UpdateSource","name":"<name>","allowInsecure":true}',
    ],
  },
  NU1401: {
    title: 'Package needs a newer NuGet',
    explanation: 'The package requires a newer NuGet client than this SDK has.',
    hint: 'Update the .NET SDK.',
    suggestedFixes: ['Install a newer .NET SDK', 'Use an older version of the package'],
  },
  NU1402: {
    title: 'Package is not safe to extract',
    explanation: 'The package contains a path that leads outside of its folder.',
    hint: 'Do not use this package.',
    suggestedFixes: [
      'Remove it: dotnet_package {"action":"Remove","packageId":"<PackageId>"}',
      'Tell the owner of the package',
    ],
  },
  NU1403: {
    title: 'Package content differs',
    explanation:
      "The package's hash differs from the one in the lock file: the package was changed, or the cache is damaged.",
    hint: 'Clear the cache and restore again. If it comes back, the package was replaced at its source.',
    suggestedFixes: [
      'Clear the cache: dotnet_package {"action":"ClearCache","cacheType":"all"}',
      'Update the lock file when the change is expected: dotnet_project {"action":"Restore","properties":{"RestoreForceEvaluate":"true"}}',
    ],
  },
  NU1503: {
    title: 'Project not restored',
    explanation: 'A project of the solution has no targets for restore and was skipped.',
    hint: 'Nothing to do for old-style projects; else check the project.',
    suggestedFixes: ['Convert it to an SDK-style project', 'Take it out of the solution'],
  },
  NU1504: {
    title: 'Duplicate package references',
    explanation: 'The project references a package twice.',
    hint: 'Remove one of the references.',
    suggestedFixes: ['Remove the duplicate PackageReference'],
  },
  NU1505: {
    title: 'Duplicate package downloads',
    explanation: 'The project has a PackageDownload twice.',
    hint: 'Remove one of them.',
    suggestedFixes: ['Remove the duplicate PackageDownload'],
  },
  NU1506: {
    title: 'Duplicate central versions',
    explanation: 'Directory.Packages.props has a PackageVersion twice.',
    hint: 'Remove one of them.',
    suggestedFixes: ['Remove the duplicate PackageVersion'],
  },
  NU1507: {
    title: 'Several sources without mapping',
    explanation: 'Central package management with several sources should say which package comes from where.',
    hint: 'Add package source mapping.',
    suggestedFixes: ['Add packageSourceMapping to nuget.config', 'Use one source'],
  },
  NU1510: {
    title: 'Package reference not needed',
    explanation: 'The package is part of the framework that the project targets.',
    hint: 'Remove the reference.',
    suggestedFixes: ['Remove it: dotnet_package {"action":"Remove","packageId":"<PackageId>"}'],
  },
  NU1601: {
    title: 'Higher version chosen',
    explanation: 'A version of a project dependency does not exist and a higher one was taken.',
    hint: 'Ask for the version that was taken.',
    suggestedFixes: ['Raise the version in the project'],
  },
  NU1602: {
    title: 'No lower bound',
    explanation: 'A package gives no lower bound for a dependency, so what is restored may change.',
    hint: 'Tell the owner of the package; reference the dependency directly.',
    suggestedFixes: [
      'Add it directly: dotnet_package {"action":"Add","packageId":"<PackageId>","version":"<version>"}',
    ],
  },
  NU1603: {
    title: 'Exact version missing, higher one chosen',
    explanation: 'The version that a package asks for does not exist, and the next higher one was taken.',
    hint: 'Ask for a version that exists.',
    suggestedFixes: [
      'Raise the version to the one that the message names: dotnet_package {"action":"Add","packageId":"<PackageId>","version":"<version>"}',
      'Add the source that has the exact version',
    ],
  },
  NU1604: {
    title: 'Dependency without lower bound',
    explanation: 'A version range of the project has no lower bound.',
    hint: 'Give a lower bound.',
    suggestedFixes: ['Write the version as 1.2.3 or [1.2.3,2.0.0)'],
  },
  NU1605: {
    title: 'Package downgrade',
    explanation: 'The project asks for a lower version of a package than one of its dependencies needs.',
    hint: 'Raise the version to the higher one that the message names.',
    suggestedFixes: [
      'Raise it: dotnet_package {"action":"Add","packageId":"<PackageId>","version":"<version>"}',
      'See which package needs it: dotnet_package {"action":"Why","packageId":"<PackageId>"}',
      'Remove the direct reference',
    ],
  },
  NU1608: {
    title: 'Version outside of the range',
    explanation: 'A resolved version is higher than a package allows.',
    hint: 'Use versions that agree.',
    suggestedFixes: ['Update the package that sets the limit', 'Lower the version'],
  },
  NU1701: {
    title: 'Restored for another framework',
    explanation:
      'The package has nothing for the target framework and was restored for .NET Framework: it may fail at run time.',
    hint: 'Use a package that supports the framework.',
    suggestedFixes: [
      'Look for a newer version: dotnet_package {"action":"List","outdated":true}',
      'Test it well, then add NU1701 to NoWarn of the reference',
    ],
  },
  NU1702: {
    title: 'Project resolved for another framework',
    explanation: 'A project reference was resolved with a framework that does not fully fit.',
    hint: 'Add the framework to the referenced project.',
    suggestedFixes: ['Add it to TargetFrameworks'],
  },
  NU1703: {
    title: 'Xamarin package in .NET for Mac',
    explanation: 'A package for Xamarin.iOS is used for Mac Catalyst and may not work fully.',
    hint: 'Use a package for the .NET platform.',
    suggestedFixes: ['Update the package'],
  },
  NU1801: {
    title: 'Source warned',
    explanation: 'A package source did not answer as expected, and restore continued without it.',
    hint: 'Check the source.',
    suggestedFixes: ['Look at the sources: dotnet_package {"action":"ListSources"}'],
  },
  NU1900: {
    title: 'Vulnerability data not available',
    explanation: 'The data on known vulnerabilities could not be read from a source, so packages were not checked.',
    hint: 'Check the network and the source; the packages were not checked.',
    suggestedFixes: [
      'Look at the sources: dotnet_package {"action":"ListSources"}',
      'Set an auditSources section in nuget.config',
    ],
  },
  NU1901: {
    title: 'Low vulnerability',
    explanation: 'A package has a known vulnerability of low severity.',
    hint: 'Update the package.',
    suggestedFixes: [
      'Update it: dotnet_package {"action":"Update","packageId":"<PackageId>"}',
      'See all: dotnet_package {"action":"Audit"}',
      'See which package references it: dotnet_package {"action":"Why","packageId":"<PackageId>"}',
    ],
  },
  NU1902: {
    title: 'Moderate vulnerability',
    explanation: 'A package has a known vulnerability of moderate severity.',
    hint: 'Update the package.',
    suggestedFixes: [
      'Update it: dotnet_package {"action":"Update","packageId":"<PackageId>"}',
      'See all: dotnet_package {"action":"Audit"}',
      'See which package references it: dotnet_package {"action":"Why","packageId":"<PackageId>"}',
    ],
  },
  NU1903: {
    title: 'High vulnerability',
    explanation: 'A package has a known vulnerability of high severity.',
    hint: 'Update the package soon.',
    suggestedFixes: [
      'Update it: dotnet_package {"action":"Update","packageId":"<PackageId>"}',
      'See all: dotnet_package {"action":"Audit"}',
      'See which package references it: dotnet_package {"action":"Why","packageId":"<PackageId>"}',
    ],
  },
  NU1904: {
    title: 'Critical vulnerability',
    explanation: 'A package has a known vulnerability of critical severity.',
    hint: 'Update the package immediately.',
    suggestedFixes: [
      'Update it: dotnet_package {"action":"Update","packageId":"<PackageId>"}',
      'See all: dotnet_package {"action":"Audit"}',
      'See which package references it: dotnet_package {"action":"Why","packageId":"<PackageId>"}',
    ],
  },
  NU1905: {
    title: 'Audit source without vulnerability data',
    explanation:
      'A source that is named for auditing has no data on vulnerabilities, so it reported nothing about the packages.',
    hint: 'Name an audit source that has the data, or none.',
    suggestedFixes: [
      'Remove the source from auditSources in nuget.config',
      'See the sources: dotnet_package {"action":"ListSources"}',
      'Switch the audit of this project off: NuGetAudit=false',
    ],
  },
  NU3001: {
    title: 'Signature arguments invalid',
    explanation: 'The arguments for signing or verifying a package are not valid.',
    hint: 'Correct the arguments.',
    suggestedFixes: ['See the options: dotnet_help {"command":"nuget sign"}'],
  },
  NU3004: {
    title: 'Package is not signed',
    explanation: 'A signature is required, and the package has none.',
    hint: 'Use a signed package, or change signatureValidationMode.',
    suggestedFixes: ['Change signatureValidationMode in nuget.config', 'Use a source with signed packages'],
  },
  NU3012: {
    title: 'Signing certificate revoked or invalid',
    explanation: 'The certificate that signed the package is not valid.',
    hint: 'Use another version of the package.',
    suggestedFixes: ['Update the package', 'Tell the owner of the package'],
  },
  NU3018: {
    title: 'Certificate chain invalid',
    explanation: "The signature's certificate does not lead to a trusted root.",
    hint: 'Check the trusted roots and the clock of this machine.',
    suggestedFixes: ["Update the system's certificates", 'Update the .NET SDK'],
  },
  NU3028: {
    title: 'Timestamp certificate invalid',
    explanation: "The certificate of the signature's timestamp does not lead to a trusted root.",
    hint: 'Check the trusted roots of this machine.',
    suggestedFixes: ["Update the system's certificates", 'Update the .NET SDK'],
  },
  NU3034: {
    title: 'Signer not trusted',
    explanation: 'The package is signed, but not by one of the trusted signers.',
    hint: 'Trust the signer, or use another package.',
    suggestedFixes: ['List the trusted signers: dotnet nuget trust list', 'Add the signer to nuget.config'],
  },
  NU3037: {
    title: 'Signature expired',
    explanation: 'The validity of the signature has ended and it has no timestamp.',
    hint: 'Use a newer version of the package.',
    suggestedFixes: ['Update the package'],
  },
  NU5017: {
    title: 'Empty package',
    explanation: 'The package would have neither content nor dependencies.',
    hint: 'Include something, or do not pack the project.',
    suggestedFixes: ['Set IncludeBuildOutput to true', 'Set IsPackable to false'],
  },
  NU5019: {
    title: 'File to pack missing',
    explanation: 'A file that should go into the package is not there.',
    hint: 'Build first, or correct the path.',
    suggestedFixes: ['Build before packing: dotnet_project {"action":"Build"}', "Correct the file's path"],
  },
  NU5026: {
    title: 'Output to pack missing',
    explanation: "The project's output is not there: it was not built in this configuration.",
    hint: 'Build in the configuration that is packed.',
    suggestedFixes: [
      'Pack without noBuild: dotnet_project {"action":"Pack"}',
      'Use the same configuration for build and pack',
    ],
  },
  NU5039: {
    title: 'Readme missing',
    explanation: 'The readme that the project names is not in the package.',
    hint: 'Include the file.',
    suggestedFixes: ['Add a None item with Pack="true" and PackagePath="\\"'],
  },
  NU5046: {
    title: 'Icon missing',
    explanation: 'The icon that the project names is not in the package.',
    hint: 'Include the file.',
    suggestedFixes: ['Add a None item with Pack="true" and PackagePath="\\"'],
  },
  NU5048: {
    title: 'Icon URL is deprecated',
    explanation: 'PackageIconUrl is deprecated.',
    hint: 'Use PackageIcon.',
    suggestedFixes: ['Put the icon into the package and set PackageIcon'],
  },
  NU5100: {
    title: 'Assembly outside of lib',
    explanation: 'An assembly of the package is not in the lib folder and will not be referenced.',
    hint: 'Move it to lib, if it should be referenced.',
    suggestedFixes: ['Set PackagePath to lib/<framework>', 'Add NU5100 to NoWarn for tools and analyzers'],
  },
  NU5104: {
    title: 'Stable package with a prerelease dependency',
    explanation: 'A stable version depends on a prerelease.',
    hint: 'Use a stable dependency, or make the version a prerelease.',
    suggestedFixes: [
      'Update the dependency to a stable version',
      'Add a suffix to the version: dotnet_project {"action":"Pack","properties":{"VersionSuffix":"beta"}}',
    ],
  },
  NU5118: {
    title: 'File in the package twice',
    explanation: 'Two files have the same path in the package; the second was omitted.',
    hint: 'Leave one of them out.',
    suggestedFixes: ['Set Pack="false" for one of the files'],
  },
  NU5119: {
    title: 'File omitted',
    explanation: 'A file whose name begins with a dot, or a package, is not packed by default.',
    hint: 'Include it expressly, if it is needed.',
    suggestedFixes: ['Set NoDefaultExcludes to true'],
  },
  NU5125: {
    title: 'License URL is deprecated',
    explanation: 'licenseUrl is deprecated.',
    hint: 'Use a license expression or file.',
    suggestedFixes: ['Set PackageLicenseExpression or PackageLicenseFile'],
  },
  NU5128: {
    title: 'Dependencies and lib folders disagree',
    explanation: 'The target frameworks of the dependencies differ from those of the lib folder.',
    hint: 'Make them the same.',
    suggestedFixes: [
      'Add an empty lib/<framework>/_._ file, or remove the dependency group',
      'Set SuppressDependenciesWhenPacking for analyzers',
    ],
  },
};
