export function NewsScreen() {
  return (
    <div className="page">
      <header>
        <h1>News</h1>
        <p className="page-lead">There is no news at the moment.</p>
      </header>
    </div>
  );
}
