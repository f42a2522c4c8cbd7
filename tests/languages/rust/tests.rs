use super::*; // => import super:*

#[test] // => def function works
fn works() {
    assert_eq!(run(1), 2); // => call *.run
}

#[tokio::test(flavor = "multi_thread")] // => def function waits
async fn waits() {
    run(2).await; // => call *.run
}

#[rstest] // => def function cases
#[case(1)]
fn cases(#[case] n: u8) {
    helper(n); // => call helper
}

fn helper(n: u8) {} // => def function helper
