namespace McpServer.Progress;

/// <summary>
/// Reports how far a call is. An implementation needs one of the two methods only: each is by default passed on to the
/// other, and does nothing where neither is implemented.
/// </summary>
public interface IProgressReporter
{
    /// <summary>Reports a percentage, 0 to 100; what lies outside is clamped.</summary>
    void Report(int percent, string? message = null) => Forwarding.Once(this, () => Report((double)percent, 100d));

    /// <summary>Reports progress in any unit, such as bytes or rows. NaN is ignored.</summary>
    /// <param name="progress">So far.</param>
    /// <param name="total">Null when it is not known.</param>
    void Report(double progress, double? total = null) => Forwarding.Once(this, () =>
    {
        var percent = total > 0 ? progress / total.Value * 100 : progress;
        if (!double.IsNaN(percent))
        {
            Report((int)Math.Clamp(percent, 0, 100), null);
        }
    });
}
