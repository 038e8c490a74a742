namespace McpServer.Progress;

/// <summary>
/// Reports the progress of a call. An implementation needs only one of the two methods, because each calls the other by
/// default. If neither is implemented, reports do nothing.
/// </summary>
public interface IProgressReporter
{
    /// <summary>Reports a percentage. Values outside of 0 to 100 are clamped.</summary>
    void Report(int percent, string? message = null) => Forwarding.Once(this, () => Report((double)percent, 100d));

    /// <summary>Reports progress in any unit, such as bytes or rows. NaN is ignored.</summary>
    /// <param name="progress">The amount of work that is done.</param>
    /// <param name="total">The whole amount of work; null if it is not known.</param>
    void Report(double progress, double? total = null) => Forwarding.Once(this, () =>
    {
        var percent = total > 0 ? progress / total.Value * 100 : progress;
        if (!double.IsNaN(percent))
        {
            Report((int)Math.Clamp(percent, 0, 100), null);
        }
    });
}
