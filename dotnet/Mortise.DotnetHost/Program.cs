using Mortise.DotnetHost.Hosting;

// The arguments: the folder of the SDK to serve, and the limit of memory in megabytes.
if (SdkAssemblies.MissingIn(args[0]) is { } missing)
{
    Console.Error.WriteLine($"The .NET SDK does not contain {missing}.");
    return 72;
}
SdkAssemblies.Use(args[0]);
MemoryLimit.Watch(long.Parse(args[1]) << 20);
using var input = Console.OpenStandardInput();
using var output = Console.OpenStandardOutput();
// What a source generator prints must not get between the answers.
Console.SetIn(TextReader.Null);
Console.SetOut(Console.Error);
await RequestLoop.RunAsync(args[0], input, output);
return 0;
