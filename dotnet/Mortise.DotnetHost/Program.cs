using Mortise.DotnetHost.Hosting;

// The arguments: the folder of the SDK to serve, and the limit of memory in megabytes.
if (SdkAssemblies.MissingIn(args[0]) is { } missing)
{
    Console.Error.WriteLine($"The .NET SDK has no {missing}.");
    return 72;
}
SdkAssemblies.Use(args[0]);
MemoryLimit.Watch(long.Parse(args[1]) << 20);
await RequestLoop.RunAsync(args[0], Console.OpenStandardInput(), Console.OpenStandardOutput());
return 0;
