/// Slow, plain computations in double precision that fast ones are compared with.
///
/// Each is written from the formula and shares no code with what it checks beyond the model's
/// types.
package enum Oracle {}
