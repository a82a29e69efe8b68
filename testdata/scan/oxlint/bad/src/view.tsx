export function Gallery({ images, bio }: { images: string[]; bio: string }) {
  return (
    <div>
      {images.map((src) => <img src={src} />)}
      <a href="javascript:alert(1)">more</a>
      <p dangerouslySetInnerHTML={{ __html: bio }} />
      <h1></h1>
    </div>
  );
}
