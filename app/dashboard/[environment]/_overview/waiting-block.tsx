/** Stands in for a part of the overview until its figures are there. */
export function WaitingBlock({ height }: { height: string }) {
  return <div aria-hidden="true" className={`card animate-pulse bg-sunk ${height}`} />;
}
