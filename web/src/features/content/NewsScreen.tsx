/** A placeholder for what the network will publish here. */
export default function NewsScreen() {
  return (
    <div className="page">
      <h1>News</h1>
    </div>
  );
}
