export const View = () => <p>{"JSX in a plain file"}</p>;
