namespace McpServer.Plugins;

/// <summary>Who makes a call. The key or token itself is not passed on.</summary>
public sealed class CallerInfo
{
    /// <summary>
    /// The name of the key in <c>Auth.Keys</c>, or <c>issuer/subject</c> of the token. The limits and records of the
    /// server are under this name.
    /// </summary>
    public required string Principal { get; init; }

    /// <summary>The <c>Name</c> of the issuer in <c>Auth.Issuers</c>; null if the client sent a key.</summary>
    public string? Issuer { get; init; }

    /// <summary>The user or program for whom the issuer made the token; null if the client sent a key.</summary>
    public string? Subject { get; init; }
}
